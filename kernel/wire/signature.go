package wire

import (
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"hash"
)

// DefaultScheme is the signature scheme of a connection file that names none.
const DefaultScheme = "hmac-sha256"

// lookupScheme returns the hash of a signature scheme. The three are those of the connection file's JSON schema
// (JEP 105); md5 is there for old clients and, as an HMAC, still does its job.
func lookupScheme(name string) (func() hash.Hash, error) {
	switch name {
	case "", DefaultScheme:
		return sha256.New, nil
	case "hmac-md5":
		return md5.New, nil
	case "hmac-sha512":
		return sha512.New, nil
	}
	return nil, fmt.Errorf("signature_scheme %q is unknown; known are hmac-sha256, hmac-sha512 and hmac-md5", name)
}

// A signer makes and checks the signature frame.
type signer struct {
	key  []byte
	hash func() hash.Hash
}

// sign returns the lower-case hexadecimal HMAC of the parts in order; with an empty key, an empty frame.
func (s signer) sign(parts [][]byte) []byte {
	if len(s.key) == 0 {
		return []byte{}
	}
	mac := hmac.New(s.hash, s.key)
	for _, p := range parts {
		mac.Write(p)
	}
	return hex.AppendEncode(nil, mac.Sum(nil))
}

// verify reports whether signature is that of the parts, in constant time. With an empty key everything is accepted.
func (s signer) verify(signature []byte, parts [][]byte) bool {
	if len(s.key) == 0 {
		return true
	}
	return subtle.ConstantTimeCompare(signature, s.sign(parts)) == 1
}
