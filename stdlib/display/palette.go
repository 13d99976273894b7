package display

import (
	"cmp"
	"image"
	"image/color"
	"maps"
	"slices"
)

const (
	// area is the number of pixels from which a colour of a picture is kept as it is.
	area = 64
	// maxColourError is how far, in each of red, green and blue out of 255, rarer colours may be moved. They are the shades on
	// the edges of letters and lines, single pixels of which nobody sees such a change.
	maxColourError = 16
)

// paletted returns m with at most 256 colours, each of the rarer ones replaced by one near it; or m itself if it takes more.
// As a PNG the result is a third to a half as large. What a drawing has, and a photograph has not, is few colours and the
// shades between them.
func paletted(m *image.RGBA) image.Image {
	type rgba = [4]uint8
	at := func(i int) rgba { return rgba(m.Pix[i : i+4]) }
	count := map[rgba]int{}
	for y := m.Rect.Min.Y; y < m.Rect.Max.Y; y++ {
		for x := m.Rect.Min.X; x < m.Rect.Max.X; x++ {
			count[at(m.PixOffset(x, y))]++
		}
	}
	colours := slices.SortedFunc(maps.Keys(count), func(a, b rgba) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), slices.Compare(a[:], b[:]))
	})

	index := map[rgba]uint8{}
	var kept []rgba
	for _, c := range colours {
		nearest, least := 0, maxColourError+1
		if count[c] < area {
			for j, k := range kept {
				if e := colourError(c, k); e < least {
					nearest, least = j, e
				}
			}
		}
		if least > maxColourError {
			if len(kept) == 256 {
				return m
			}
			nearest, kept = len(kept), append(kept, c)
		}
		index[c] = uint8(nearest)
	}
	palette := make(color.Palette, len(kept))
	for i, c := range kept {
		palette[i] = color.RGBA{R: c[0], G: c[1], B: c[2], A: c[3]}
	}

	out := image.NewPaletted(m.Rect, palette)
	for y := m.Rect.Min.Y; y < m.Rect.Max.Y; y++ {
		for x := m.Rect.Min.X; x < m.Rect.Max.X; x++ {
			out.Pix[out.PixOffset(x, y)] = index[at(m.PixOffset(x, y))]
		}
	}
	return out
}

// colourError returns the largest difference between two colours in a channel.
func colourError(a, b [4]uint8) int {
	e := 0
	for i := range a {
		e = max(e, int(a[i])-int(b[i]), int(b[i])-int(a[i]))
	}
	return e
}
