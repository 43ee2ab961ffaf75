package provider

import (
	"context"
	"net/http"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

// rotate makes a key with the configuration's secret and then ends the one before.
func (r *keyResource) rotate(
	ctx context.Context, state, m *keyModel, req resource.UpdateRequest, resp *resource.UpdateResponse,
) {
	secret, ours := secretOf(ctx, req.Config, &resp.Diagnostics)
	if ours {
		resp.Diagnostics.AddAttributeError(path.Root("secret_wo"), "There is no secret to rotate to",
			"secret_wo_version has changed and secret_wo is null.")
	}
	if resp.Diagnostics.HasError() {
		return
	}
	if unended(state) {
		// Only one key before is remembered: the one before that ends first.
		r.retire(ctx, state, &resp.Diagnostics)
		if resp.Diagnostics.HasError() {
			return
		}
	}
	etag, err := r.begin(ctx, m, secret, ours, &resp.Diagnostics)
	if err != nil {
		r.report(ctx, &resp.Diagnostics, m, "create", req.Plan.Schema, err)
		return
	}
	m.PreviousID = state.ID
	m.PreviousEndsAt = timetypes.NewRFC3339Null()
	// Whatever happens to the key before, the new one is in the state.
	resp.Diagnostics.Append(resp.State.Set(ctx, m)...)
	resp.Diagnostics.Append(resp.Private.SetKey(ctx, etagKey, []byte(etag))...)
	r.retire(ctx, m, &resp.Diagnostics)
	resp.Diagnostics.Append(resp.State.Set(ctx, m)...)
	remember(ctx, m, req.Private, resp.Private, &resp.Diagnostics)
}

// retire ends the key before after the overlap and notes when. If it cannot, the next apply tries again.
func (r *keyResource) retire(ctx context.Context, m *keyModel, diags *diag.Diagnostics) {
	overlap, more := m.RotationOverlap.ValueGoDuration()
	diags.Append(more...)
	if diags.HasError() {
		return
	}
	end := time.Now().UTC().Truncate(time.Second).Add(overlap)
	end, err := endKey(ctx, r.session.calls(ctx), keyPath(m.Tenant, m.PreviousID), end, overlap <= 0)
	if err != nil {
		diags.AddError("The key "+m.PreviousID.ValueString()+" is still good",
			"The new key was made, and the key before could not be ended: "+err.Error()+". Apply again to end it.")
		return
	}
	m.PreviousEndsAt = timetypes.NewRFC3339TimeValue(end)
}

// endKey lets a key end at a time, or now. A key that ends earlier by itself keeps its end, which is returned.
func endKey(ctx context.Context, c *client.Client, at string, end time.Time, now bool) (time.Time, error) {
	if now {
		err := client.Delete(ctx, c, at, client.Precondition{})
		if client.Gone(err) {
			err = nil
		}
		return end, err
	}
	for try := 0; ; try++ {
		v, etag, err := client.Get[client.Key](ctx, c, at)
		if client.Gone(err) || (err == nil && v.RevokedAt != nil) {
			return time.Now().UTC().Truncate(time.Second), nil
		}
		if err != nil {
			return end, err
		}
		if v.ExpiresAt != nil {
			if own, bad := time.Parse(time.RFC3339, *v.ExpiresAt); bad == nil && own.Before(end) {
				return own, nil
			}
		}
		spec := client.KeySpec{Label: v.Label, ExpiresAt: end.Format(time.RFC3339)}
		_, _, err = client.Put[client.Key](ctx, c, at, spec, client.Precondition{Match: etag})
		if (!client.Stale(err) && !client.HasStatus(err, http.StatusConflict)) || try == rebases {
			return end, err
		}
	}
}

// ModifyPlan plans another id where the secret is rotated, and nothing else that is unknown.
func (r *keyResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() {
		return
	}
	var config, plan, state keyModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if req.State.Raw.IsNull() {
		if !config.SecretWO.IsNull() {
			plan.Secret, plan.Key = types.StringNull(), types.StringNull()
		}
		resp.Diagnostics.Append(resp.Plan.Set(ctx, &plan)...)
		return
	}
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() || !plan.Tenant.Equal(state.Tenant) {
		return
	}
	if plan.SecretWOVersion.IsUnknown() || rotates(&state, &plan) {
		plan.ID = types.StringUnknown()
		plan.Secret, plan.Key = types.StringNull(), types.StringNull()
		plan.PreviousID = state.ID
		plan.PreviousEndsAt = timetypes.NewRFC3339Unknown()
	} else if unended(&state) {
		plan.PreviousEndsAt = timetypes.NewRFC3339Unknown()
	}
	resp.Diagnostics.Append(resp.Plan.Set(ctx, &plan)...)
}
