package provider

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

// How often a change is sent again because fields that Terraform does not own have changed.
const rebases = 3

// How long a deletion waits before it is tried again because the thing is still in use.
const inUsePause = time.Second

// protected is a model that can forbid its deletion.
type protected interface {
	protection() types.Bool
}

// Update changes the thing, if the fields that Terraform owns are as they were when they were read.
func (r *managed[M, S, V]) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var state, m M
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(req.Plan.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() || !r.session.ready(&resp.Diagnostics) {
		return
	}
	before := r.kind.spec(ctx, &state, &resp.Diagnostics)
	spec := r.kind.spec(ctx, &m, &resp.Diagnostics)
	etag := etagOf(ctx, req.Private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	c := r.session.calls(ctx)
	v, etag, err := r.change(ctx, c, &state, &m, before, spec, etag)
	if err != nil {
		r.report(ctx, &resp.Diagnostics, &m, "change", req.Plan.Schema, err)
		return
	}
	r.kind.fill(ctx, &m, v, &resp.Diagnostics)
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
	resp.Diagnostics.Append(resp.Private.SetKey(ctx, etagKey, []byte(etag))...)
}

func (r *managed[M, S, V]) change(
	ctx context.Context, c *client.Client, state, m *M, before, spec S, etag string,
) (V, string, error) {
	if len(differences(before, spec)) == 0 {
		// Only fields that the provider itself keeps have changed, such as deletion_protection.
		v, now, differ, err := r.since(ctx, c, state, before)
		if err == nil && len(differ) > 0 {
			err = &conflict{differ}
		}
		return v, now, err
	}
	for try := 0; ; try++ {
		v, now, err := r.kind.replace(ctx, c, m, spec, client.Precondition{Match: etag})
		if !client.Stale(err) || try == rebases {
			return v, now, err
		}
		v, now, differ, unreadable := r.since(ctx, c, state, before)
		if unreadable != nil {
			return v, "", unreadable
		}
		if client.AsProblem(err).Uncertain && len(lacking(spec, r.seen(ctx, m, v))) == 0 {
			// An attempt before made the change, and its answer was lost.
			return v, now, nil
		}
		if len(differ) > 0 {
			return v, "", &conflict{differ}
		}
		etag = now
	}
}

// Delete ends the thing, if the fields that Terraform owns are as they were when they were read.
func (r *managed[M, S, V]) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var m M
	resp.Diagnostics.Append(req.State.Get(ctx, &m)...)
	if p, ok := any(&m).(protected); ok && p.protection().ValueBool() {
		refuseDeletion(&resp.Diagnostics, r.kind.noun, r.kind.name(&m))
	}
	if resp.Diagnostics.HasError() || !r.session.ready(&resp.Diagnostics) {
		return
	}
	before := r.kind.spec(ctx, &m, &resp.Diagnostics)
	etag := etagOf(ctx, req.Private, &resp.Diagnostics)
	c := r.session.calls(ctx)
	until := time.Now().Add(r.kind.patience)
	for try := 0; ; try++ {
		err := r.kind.remove(ctx, c, &m, client.Precondition{Match: etag})
		if client.HasStatus(err, http.StatusConflict) && time.Now().Before(until) && sleep(ctx, inUsePause) {
			continue
		}
		if client.Stale(err) && try < rebases {
			v, now, differ, unreadable := r.since(ctx, c, &m, before)
			switch {
			case unreadable != nil:
				err = unreadable
			case r.kind.isGone(v):
				return
			case len(differ) > 0:
				err = &conflict{differ}
			default:
				etag = now
				continue
			}
		}
		if err != nil && !client.Gone(err) {
			r.report(ctx, &resp.Diagnostics, &m, "delete", req.State.Schema, err)
		}
		return
	}
}

// sleep returns false if the context ended first.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// since reads the thing again and names the fields that have changed since the state was read.
func (r *managed[M, S, V]) since(ctx context.Context, c *client.Client, state *M, before S) (V, string, []string, error) {
	v, etag, err := r.kind.read(ctx, c, state)
	if err != nil {
		return v, "", nil, err
	}
	if r.kind.isGone(v) {
		return v, "", []string{"state"}, nil
	}
	return v, etag, differences(before, r.seen(ctx, state, v)), nil
}

func (r *managed[M, S, V]) seen(ctx context.Context, m *M, v V) S {
	var ignored diag.Diagnostics
	return r.kind.seen(ctx, *m, v, &ignored)
}

// conflict is an error: somebody else changed fields that Terraform owns.
type conflict struct {
	fields []string
}

// Error says what to do.
func (c *conflict) Error() string {
	return "somebody else has changed " + strings.Join(c.fields, ", ") + " since the plan was made. Plan again to see their change."
}
