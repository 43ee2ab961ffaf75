package provider

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

// keyModel is a kvstore_key.
type keyModel struct {
	Tenant          types.String         `tfsdk:"tenant"`
	ID              types.String         `tfsdk:"id"`
	Label           types.String         `tfsdk:"label"`
	ExpiresAt       timetypes.RFC3339    `tfsdk:"expires_at"`
	SecretWO        types.String         `tfsdk:"secret_wo"`
	SecretWOVersion types.Int64          `tfsdk:"secret_wo_version"`
	Secret          types.String         `tfsdk:"secret"`
	Key             types.String         `tfsdk:"key"`
	RotationOverlap timetypes.GoDuration `tfsdk:"rotation_overlap"`
	PreviousID      types.String         `tfsdk:"previous_id"`
	PreviousEndsAt  timetypes.RFC3339    `tfsdk:"previous_ends_at"`
}

// keyResource is a key whose secret Terraform makes, and sends nobody: the service gets its hash.
type keyResource struct {
	managed[keyModel, client.KeySpec, client.Key]
}

func newKeyResource() resource.Resource {
	r := &keyResource{}
	r.kind = resourceKind[keyModel, client.KeySpec, client.Key]{
		noun: "key",
		name: func(m *keyModel) string { return m.Tenant.ValueString() + "/" + m.ID.ValueString() },
		path: func(m *keyModel) string { return keyPath(m.Tenant, m.ID) },
		spec: keySpec,
		fill: func(_ context.Context, m *keyModel, v client.Key, diags *diag.Diagnostics) {
			m.Tenant = types.StringValue(v.Tenant)
			m.ID = types.StringValue(v.ID)
			m.Label = types.StringValue(v.Label)
			m.ExpiresAt = instant(m.ExpiresAt, v.ExpiresAt, diags)
			m.SecretWO = types.StringNull()
		},
		gone: func(v client.Key) bool { return ending(v, time.Now()) != "" },
		farewell: func(v client.Key) string {
			return "It " + ending(v, time.Now()) + ", and never lives again. Terraform plans a new key, with another id and a new secret."
		},
	}
	return r
}

// ending tells how a key has ended, or that another took its place; empty if it is good.
func ending(v client.Key, now time.Time) string {
	if v.RevokedAt != nil {
		return "was revoked at " + *v.RevokedAt
	}
	if v.Successor != nil {
		return "was rotated elsewhere, to " + *v.Successor
	}
	if v.ExpiresAt != nil {
		if end, err := time.Parse(time.RFC3339, *v.ExpiresAt); err == nil && !now.Before(end) {
			return "ended at " + *v.ExpiresAt
		}
	}
	return ""
}

func keyPath(tenant, id types.String) string {
	return client.Path("tenants", tenant.ValueString(), "keys", id.ValueString())
}

func keySpec(_ context.Context, m *keyModel, _ *diag.Diagnostics) client.KeySpec {
	return client.KeySpec{Label: m.Label.ValueString(), ExpiresAt: m.ExpiresAt.ValueString()}
}

// rotates tells whether a plan wants another secret than the state has.
func rotates(state, plan *keyModel) bool {
	if plan.SecretWOVersion.IsNull() || plan.SecretWOVersion.Equal(state.SecretWOVersion) {
		return false
	}
	// The first version after an import names the secret that the key has.
	imported := state.SecretWOVersion.IsNull() && state.Secret.IsNull()
	return !imported
}

// unended tells whether the key before was to end, and the service could not be told so.
func unended(state *keyModel) bool {
	return !state.PreviousID.IsNull() && state.PreviousEndsAt.IsNull()
}
