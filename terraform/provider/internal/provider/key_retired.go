package provider

import (
	"context"
	"encoding/json"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// retiredKey is where the private state has the keys that rotations replaced.
const retiredKey = "retired"

// retired is a key that a rotation replaced. Destroy revokes it if it is still good.
type retired struct {
	ID string
	// Ends is the zero time if the service could not be told an end.
	Ends time.Time
}

// retiredOf are the keys that rotations replaced, without those that have ended.
func retiredOf(ctx context.Context, private privateState, diags *diag.Diagnostics) []retired {
	text, more := private.GetKey(ctx, retiredKey)
	diags.Append(more...)
	var all, good []retired
	if len(text) > 0 {
		if err := json.Unmarshal(text, &all); err != nil {
			diags.AddWarning("Keys that were rotated are forgotten", "They end by themselves. "+err.Error())
		}
	}
	for _, key := range all {
		if key.Ends.IsZero() || key.Ends.After(time.Now()) {
			good = append(good, key)
		}
	}
	return good
}

// remember notes that a rotation has replaced the key before.
func remember(
	ctx context.Context, m *keyModel, before privateState, after privateStore, diags *diag.Diagnostics,
) {
	key := retired{ID: m.PreviousID.ValueString()}
	if end, bad := m.PreviousEndsAt.ValueRFC3339Time(); !m.PreviousEndsAt.IsNull() && !bad.HasError() {
		key.Ends = end
	}
	text, err := json.Marshal(append(retiredOf(ctx, before, diags), key))
	if err != nil {
		diags.AddError("A flaw of the provider", err.Error())
		return
	}
	diags.Append(after.SetKey(ctx, retiredKey, text)...)
}
