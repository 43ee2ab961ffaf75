package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// planDeletion refuses a plan that deletes or replaces a protected thing. Its state decides: protection ends by an apply of
// its own. Same tells of state and plan whether they are one thing, or one that replaces the other.
func planDeletion[M any](
	ctx context.Context,
	noun string,
	name func(*M) string,
	same func(a, b *M) bool,
	req resource.ModifyPlanRequest,
	resp *resource.ModifyPlanResponse,
) {
	if req.State.Raw.IsNull() {
		return
	}
	var state M
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if p, ok := any(&state).(protected); !ok || !p.protection().ValueBool() || resp.Diagnostics.HasError() {
		return
	}
	if !req.Plan.Raw.IsNull() {
		var plan M
		resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
		if resp.Diagnostics.HasError() || same(&state, &plan) {
			return
		}
	}
	refuseDeletion(&resp.Diagnostics, noun, name(&state))
}
