package provider

import (
	"context"
	"encoding/json"
	"reflect"
	"sort"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

// resourceKind tells how one kind of thing is called, sent and read.
//
// M is its model in Terraform, S is what the provider sends, V is what the service answers.
type resourceKind[M, S, V any] struct {
	// noun is how people call it, such as "storage account".
	noun string
	// name is its full name, as an import takes it.
	name func(*M) string
	// path is where the service has it.
	path func(*M) string
	// spec is what a model says of it: the fields that Terraform owns, and no others.
	spec func(context.Context, *M, *diag.Diagnostics) S
	// fill takes what the service answered into a model.
	fill func(context.Context, *M, V, *diag.Diagnostics)

	// unkept takes what only a configuration has, a secret that no plan and no state keeps, into a model that is to be made; nil: there
	// is nothing of that kind.
	unkept func(context.Context, tfsdk.Config, *M, *diag.Diagnostics)
	// get reads it; nil: a GET of its path.
	get func(context.Context, *client.Client, *M) (V, string, error)
	// make creates it; nil: a PUT that fails if it is there.
	make func(context.Context, *client.Client, *M, S) (V, string, error)
	// put changes it; nil: a PUT to its path.
	put func(context.Context, *client.Client, *M, S, client.Precondition) (V, string, error)
	// end deletes it; nil: a DELETE of its path.
	end func(context.Context, *client.Client, *M, client.Precondition) error
	// patience is how long a deletion that the service refuses is tried again: whatever still uses the thing may be going away in
	// the same run, and Terraform does not know that it does. 0: not at all.
	patience time.Duration
	// gone tells of an answer that the thing was ended; nil: never.
	gone func(V) bool
	// farewell tells people why a thing is gone, for a warning; nil: Terraform's own words are enough.
	farewell func(V) string
	// where finds the attribute of a field that the service names; nil or an empty path: by the field's own name.
	where func(m *M, field string) path.Path
}

func (k resourceKind[M, S, V]) read(ctx context.Context, c *client.Client, m *M) (V, string, error) {
	if k.get != nil {
		return k.get(ctx, c, m)
	}
	return client.Get[V](ctx, c, k.path(m))
}

func (k resourceKind[M, S, V]) create(ctx context.Context, c *client.Client, m *M, spec S) (V, string, error) {
	if k.make != nil {
		return k.make(ctx, c, m, spec)
	}
	return k.replace(ctx, c, m, spec, client.Precondition{Absent: true})
}

func (k resourceKind[M, S, V]) replace(
	ctx context.Context, c *client.Client, m *M, spec S, pre client.Precondition,
) (V, string, error) {
	if k.put != nil {
		return k.put(ctx, c, m, spec, pre)
	}
	return client.Put[V](ctx, c, k.path(m), spec, pre)
}

func (k resourceKind[M, S, V]) remove(ctx context.Context, c *client.Client, m *M, pre client.Precondition) error {
	if k.end != nil {
		return k.end(ctx, c, m, pre)
	}
	return client.Delete(ctx, c, k.path(m), pre)
}

func (k resourceKind[M, S, V]) isGone(v V) bool {
	return k.gone != nil && k.gone(v)
}

// seen is the specification that a thing has now, as far as Terraform owns it.
func (k resourceKind[M, S, V]) seen(ctx context.Context, m M, v V, diags *diag.Diagnostics) S {
	k.fill(ctx, &m, v, diags)
	return k.spec(ctx, &m, diags)
}

// differences names the fields in which two specifications differ, in the order of their names.
func differences(a, b any) []string {
	left, right := fields(a), fields(b)
	var names []string
	for name := range left {
		if !reflect.DeepEqual(left[name], right[name]) {
			names = append(names, name)
		}
	}
	for name := range right {
		if _, both := left[name]; !both {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}

// lacking names the fields of a specification that was sent which a thing does not have. Fields that were left to the service
// may have any value.
func lacking(sent, seen any) []string {
	want, got := fields(sent), fields(seen)
	var names []string
	for name := range want {
		if !reflect.DeepEqual(want[name], got[name]) {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}

func fields(spec any) map[string]any {
	text, err := json.Marshal(spec)
	if err != nil {
		return nil
	}
	var m map[string]any
	_ = json.Unmarshal(text, &m) // It was an object a moment ago.
	return m
}
