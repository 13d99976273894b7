package memory

import "testing"

func TestRead(t *testing.T) {
	for _, test := range []struct {
		text  string
		bytes uint64 // 0 for an error
		shown string
	}{
		{"1048576", 1 << 20, "1.0 MiB (ORTHANT_MEMORY)"},
		{"512MiB", 512 << 20, "512.0 MiB (ORTHANT_MEMORY)"},
		{"1.5 GiB", 3 << 29, "1.5 GiB (ORTHANT_MEMORY)"},
		{" 64KiB ", 64 << 10, "64.0 KiB (ORTHANT_MEMORY)"},
		{"1000", 1000, "1000 bytes (ORTHANT_MEMORY)"},
		{"0", 0, ""}, {"-1", 0, ""}, {"much", 0, ""}, {"12GB", 0, ""}, {"MiB", 0, ""}, {"NaNGiB", 0, ""}, {"1e30GiB", 0, ""},
	} {
		t.Run(test.text, func(t *testing.T) {
			t.Setenv(Variable, test.text)
			got, err := Read()
			if (err == nil) != (test.bytes > 0) || got.Bytes != test.bytes {
				t.Fatalf("got %d, %v, want %d", got.Bytes, err, test.bytes)
			}
			if err == nil && got.String() != test.shown {
				t.Errorf("shown as %q, want %q", got, test.shown)
			}
		})
	}
}

// TestDefault only knows that a machine that runs tests has between 64 MiB and 64 TiB.
func TestDefault(t *testing.T) {
	t.Setenv(Variable, "")
	got, err := Read()
	if err != nil || got.Bytes < 64<<20 || got.Bytes > 64<<40 {
		t.Errorf("got %v, %v", got, err)
	}
}
