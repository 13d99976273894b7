package main

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tolerance is by how much a colour may differ: the rasterizer computes in float32, in which machines that fuse
// multiplication and addition round differently, and has assembly for some.
const tolerance = 2

// TestFiles checks that the logos in the repository are what the program draws.
func TestFiles(t *testing.T) {
	for _, f := range files {
		t.Run(f.name, func(t *testing.T) {
			got, err := f.draw()
			if err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(filepath.Join("..", "..", f.name))
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(f.name, ".svg") {
				if !bytes.Equal(got, want) {
					t.Errorf("differs from what is drawn; run go generate ./install")
				}
				return
			}
			comparePNG(t, got, want)
		})
	}
}

func comparePNG(t *testing.T, got, want []byte) {
	t.Helper()
	a, b := decode(t, got), decode(t, want)
	if a.Bounds() != b.Bounds() {
		t.Fatalf("size: got %v, want %v", a.Bounds(), b.Bounds())
	}
	for i := range a.Pix {
		if d := int(a.Pix[i]) - int(b.Pix[i]); d > tolerance || d < -tolerance {
			t.Fatalf("byte %d of the picture: got %d, want %d; run go generate ./install", i, a.Pix[i], b.Pix[i])
		}
	}
}

func decode(t *testing.T, data []byte) *image.NRGBA {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	nrgba, ok := img.(*image.NRGBA)
	if !ok {
		t.Fatalf("the picture is a %T, not one with transparency", img)
	}
	return nrgba
}
