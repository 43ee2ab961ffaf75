package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

// Create makes a key with a new id. The request can be repeated: the id and the hash of the secret say which key is meant.
func (r *keyResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var m keyModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &m)...)
	secret, ours := secretOf(ctx, req.Config, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !r.session.ready(&resp.Diagnostics) {
		return
	}
	etag, err := r.begin(ctx, &m, secret, ours, &resp.Diagnostics)
	if err != nil {
		r.report(ctx, &resp.Diagnostics, &m, "create", req.Plan.Schema, err)
		return
	}
	m.PreviousID = types.StringNull()
	m.PreviousEndsAt = timetypes.NewRFC3339Null()
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
	resp.Diagnostics.Append(resp.Private.SetKey(ctx, etagKey, []byte(etag))...)
}

// secretOf is the secret of the configuration, or a new one of the provider's own, which then may be shown in the state.
func secretOf(ctx context.Context, config tfsdk.Config, diags *diag.Diagnostics) (secret string, ours bool) {
	var given types.String
	diags.Append(config.GetAttribute(ctx, path.Root("secret_wo"), &given)...)
	if given.IsNull() {
		return client.NewSecret(), true
	}
	if !client.SecretPattern.MatchString(given.ValueString()) {
		diags.AddAttributeError(path.Root("secret_wo"), "The secret has another shape", secretRule)
	}
	return given.ValueString(), false
}

// begin makes a key with this secret and a new id.
func (r *keyResource) begin(
	ctx context.Context, m *keyModel, secret string, ours bool, diags *diag.Diagnostics,
) (string, error) {
	m.ID = types.StringValue(client.NewID())
	text := client.KeyText(m.ID.ValueString(), secret)
	spec := keySpec(ctx, m, diags)
	spec.SHA256 = client.Hash(text)
	v, etag, err := client.Put[client.Key](ctx, r.session.calls(ctx), keyPath(m.Tenant, m.ID), spec, client.Precondition{})
	if err != nil {
		return "", err
	}
	r.kind.fill(ctx, m, v, diags)
	m.Secret, m.Key = types.StringNull(), types.StringNull()
	if ours {
		m.Secret, m.Key = types.StringValue(secret), types.StringValue(text)
	}
	return etag, nil
}

// Update changes label and end in place. For another secret it makes another key, and ends the one before after the overlap.
func (r *keyResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var state, m keyModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(req.Plan.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() || !r.session.ready(&resp.Diagnostics) {
		return
	}
	if rotates(&state, &m) {
		r.rotate(ctx, &state, &m, req, resp)
		return
	}
	if unended(&state) {
		r.retire(ctx, &m, &resp.Diagnostics)
		if resp.Diagnostics.HasError() {
			return
		}
		// What the plan has of it is in the state even if the rest fails.
		resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("previous_ends_at"), m.PreviousEndsAt)...)
	}
	before, spec := keySpec(ctx, &state, &resp.Diagnostics), keySpec(ctx, &m, &resp.Diagnostics)
	etag := etagOf(ctx, req.Private, &resp.Diagnostics)
	v, etag, err := r.change(ctx, r.session.calls(ctx), &state, &m, before, spec, etag)
	if err != nil {
		r.report(ctx, &resp.Diagnostics, &m, "change", req.Plan.Schema, err)
		return
	}
	r.kind.fill(ctx, &m, v, &resp.Diagnostics)
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
	resp.Diagnostics.Append(resp.Private.SetKey(ctx, etagKey, []byte(etag))...)
}

// Delete revokes the key, and those that rotations replaced if they are still good.
func (r *keyResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var m keyModel
	resp.Diagnostics.Append(req.State.Get(ctx, &m)...)
	before := retiredOf(ctx, req.Private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	r.managed.Delete(ctx, req, resp)
	if resp.Diagnostics.HasError() {
		return
	}
	for _, key := range before {
		at := keyPath(m.Tenant, types.StringValue(key.ID))
		err := client.Delete(ctx, r.session.calls(ctx), at, client.Precondition{})
		if err != nil && !client.Gone(err) {
			r.report(ctx, &resp.Diagnostics, &m, "revoke "+key.ID+", which was before", req.State.Schema, err)
		}
	}
}
