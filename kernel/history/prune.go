package history

// sizeLimit is how large the file may be, in bytes, when a session begins. The oldest cells of other sessions go until a
// quarter of it is free; the file does not shrink, what is free in it is used again. At 200 bytes a cell that is a million.
const sizeLimit = 256 << 20

// pruneStep is how many cells go at once: other kernels wait for it.
const pruneStep = 2000

// prune makes room.
func (db *database) prune(limit int64) error {
	used, err := db.used()
	if err != nil || used <= limit {
		return err
	}
	for used > limit/4*3 {
		err := db.exec(`DELETE FROM cells WHERE rowid IN
			(SELECT rowid FROM cells WHERE session != ? ORDER BY session, seq LIMIT ?)`, db.session, pruneStep)
		if err != nil {
			return err
		}
		if db.conn.Changes() == 0 {
			return nil // all that is left is this session's
		}
		if used, err = db.used(); err != nil {
			return err
		}
	}
	return nil
}

// used returns how many bytes of the file are in use.
func (db *database) used() (int64, error) {
	return db.number(`SELECT (p.page_count - f.freelist_count) * s.page_size
		FROM pragma_page_count AS p, pragma_freelist_count AS f, pragma_page_size AS s`)
}
