package clustering

import (
	"context"
	"fmt"
)

// A Variant is a fit with everything fixed but the seed: what ablations and sweeps are made of. Each method has a method
// Variant that makes one; a function literal that calls Fit makes any other.
type Variant struct {
	// Name says what is special about the variant, for a legend or a table.
	Name string
	// Run fits from a seed. It returns what Fit returns: also a result together with an error, if the context ended.
	Run func(ctx context.Context, seed uint64) (*Result, error)
}

// variant makes the Variant of a method from its Fit; an empty name gives way to the method as a Go literal.
func variant(name string, method fmt.Stringer, opts Options, fit func(context.Context, Options) (*Result, error)) Variant {
	if name == "" {
		name = method.String()
	}
	return Variant{Name: name, Run: func(ctx context.Context, seed uint64) (*Result, error) {
		opts := opts
		opts.Seed = seed
		return fit(ctx, opts)
	}}
}

// common takes what Fit returned down to the part that all results have.
func common[R any, P interface {
	*R
	Fitted
}](res P, err error) (*Result, error) {
	if res == nil {
		return nil, err
	}
	return res.Common(), err
}
