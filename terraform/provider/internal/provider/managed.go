package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

// etagKey is where the entity tag lies in the private state. In the schema it would be unknown at each change, and with it
// everything that depends on the resource.
const etagKey = "etag"

// managed creates, reads, changes and deletes things of one kind. Resources embed it.
type managed[M, S, V any] struct {
	kind    resourceKind[M, S, V]
	session *session
}

// Configure takes the provider's session.
func (r *managed[M, S, V]) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	r.session = sessionOf(req.ProviderData, &resp.Diagnostics)
}

// Create makes the thing and refuses to take over one that is there.
func (r *managed[M, S, V]) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var m M
	resp.Diagnostics.Append(req.Plan.Get(ctx, &m)...)
	if r.kind.unkept != nil {
		r.kind.unkept(ctx, req.Config, &m, &resp.Diagnostics)
	}
	if resp.Diagnostics.HasError() || !r.session.ready(&resp.Diagnostics) {
		return
	}
	spec := r.kind.spec(ctx, &m, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	c := r.session.calls(ctx)
	v, etag, err := r.kind.create(ctx, c, &m, spec)
	if client.Stale(err) {
		var mine bool
		if v, etag, mine = r.madeBefore(ctx, c, &m, spec, err); !mine {
			resp.Diagnostics.AddError(
				"The "+r.kind.noun+" "+r.kind.name(&m)+" exists already",
				"Terraform takes over nothing silently. Import it: terraform import ADDRESS "+r.kind.name(&m))
			return
		}
		err = nil
	}
	if err != nil {
		r.report(ctx, &resp.Diagnostics, &m, "create", req.Plan.Schema, err)
		return
	}
	r.kind.fill(ctx, &m, v, &resp.Diagnostics)
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
	if etag != "" {
		resp.Diagnostics.Append(resp.Private.SetKey(ctx, etagKey, []byte(etag))...)
	}
}

// madeBefore tells whether a thing that is there was made by an attempt of this call whose answer was lost.
func (r *managed[M, S, V]) madeBefore(
	ctx context.Context, c *client.Client, m *M, spec S, err error,
) (v V, etag string, mine bool) {
	if !client.AsProblem(err).Uncertain {
		return v, "", false
	}
	v, etag, err = r.kind.read(ctx, c, m)
	if err != nil || r.kind.isGone(v) {
		return v, "", false
	}
	var ignored diag.Diagnostics
	return v, etag, len(lacking(spec, r.kind.seen(ctx, *m, v, &ignored))) == 0
}

// Read takes what the service has into the state. What was deleted leaves the state; what this token may not see does not.
func (r *managed[M, S, V]) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var m M
	resp.Diagnostics.Append(req.State.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() || !r.session.ready(&resp.Diagnostics) {
		return
	}
	v, etag, err := r.kind.read(ctx, r.session.calls(ctx), &m)
	switch {
	case client.Gone(err) || (err == nil && r.kind.isGone(v)):
		if err == nil && r.kind.farewell != nil {
			resp.Diagnostics.AddWarning("The "+r.kind.noun+" "+r.kind.name(&m)+" has ended", r.kind.farewell(v))
		}
		resp.State.RemoveResource(ctx)
		return
	case err != nil:
		r.report(ctx, &resp.Diagnostics, &m, "read", req.State.Schema, err)
		return
	}
	r.kind.fill(ctx, &m, v, &resp.Diagnostics)
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
	resp.Diagnostics.Append(resp.Private.SetKey(ctx, etagKey, []byte(etag))...)
}
