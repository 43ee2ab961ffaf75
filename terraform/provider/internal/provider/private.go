package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// privateState is the part of a resource's state that nobody sees.
type privateState interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

// privateStore is the part of a resource's state that nobody sees, as an answer fills it.
type privateStore interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// etagOf is the entity tag that the last read or change stored. It is JSON as it is: a text in quotes.
func etagOf(ctx context.Context, p privateState, diags *diag.Diagnostics) string {
	tag, more := p.GetKey(ctx, etagKey)
	diags.Append(more...)
	if len(tag) == 0 {
		// An older version of the provider made the state; "*" is "whatever it is, but it must be there".
		return "*"
	}
	return string(tag)
}
