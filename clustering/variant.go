package clustering

import "context"

// A Variant is a fit with everything fixed but the seed: what ablations and sweeps are made of. Each method has a method
// Variant that makes one; a function literal that calls Fit makes any other.
type Variant struct {
	// Name says what is special about the variant, for a legend or a table.
	Name string
	// Run fits from a seed. It returns what Fit returns: also a result together with an error, if the context ended.
	Run func(ctx context.Context, seed uint64) (*Result, error)
}
