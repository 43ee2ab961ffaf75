package provider

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

const (
	policyInitial = "initial"
	policyAlways  = "always"
)

// ValidateConfig holds rules between attributes.
func (r *accountResource) ValidateConfig(
	ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse,
) {
	var home types.String
	var replicas types.Map
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("home_region"), &home)...)
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("replicas"), &replicas)...)
	if resp.Diagnostics.HasError() || replicas.IsNull() || replicas.IsUnknown() {
		return
	}
	regions := replicas.Elements()
	if home.IsNull() && len(regions) > 1 {
		resp.Diagnostics.AddAttributeError(path.Root("home_region"), "Several replicas, and no home",
			"Set home_region to the region of one of the replicas.")
	}
	if _, is := regions[home.ValueString()]; !is && !home.IsNull() && !home.IsUnknown() {
		resp.Diagnostics.AddAttributeError(path.Root("home_region"), "The home has no replica",
			"home_region must be the region of one of the replicas.")
	}
}

// ModifyPlan keeps what a failover did, and plans the proofs.
func (r *accountResource) ModifyPlan(
	ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse,
) {
	same := func(a, b *accountModel) bool { return a.Name.Equal(b.Name) }
	if !req.Plan.Raw.IsNull() && !readable(ctx, req, resp) {
		return
	}
	planDeletion(ctx, r.kind.noun, r.kind.name, same, req, resp)
	if resp.Diagnostics.HasError() || req.Plan.Raw.IsNull() {
		return
	}
	var config, plan, state accountModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if !req.State.Raw.IsNull() {
		resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	if same(&plan, &state) {
		keepFailover(&config, &state, &plan, resp)
	} else {
		state = accountModel{}
	}
	if regions := plan.regions(); config.HomeRegion.IsNull() && len(regions) == 1 {
		plan.HomeRegion = types.StringValue(regions[0])
	}
	planProofs(&state, &plan)
	if keepWarnings(ctx, &plan, state.Warnings, req, resp) {
		return
	}
	resp.Diagnostics.Append(resp.Plan.Set(ctx, &plan)...)
}

// keepWarnings plans the warnings of the state if nothing else is to change, and tells whether it did. Terraform marks them
// as unknown where the configuration differs from the state; a plan with only that would be an update without end.
func keepWarnings(
	ctx context.Context, plan *accountModel, warnings types.List, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse,
) bool {
	if req.State.Raw.IsNull() || !plan.Warnings.IsUnknown() {
		return false
	}
	kept := *plan
	kept.Warnings = warnings
	resp.Diagnostics.Append(resp.Plan.Set(ctx, &kept)...)
	return !resp.Diagnostics.HasError() && resp.Plan.Raw.Equal(req.State.Raw)
}

// readable tells whether a plan has all its replicas, whatever is unknown in them.
func readable(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) bool {
	var replicas types.Map
	resp.Diagnostics.Append(req.Plan.GetAttribute(ctx, path.Root("replicas"), &replicas)...)
	if resp.Diagnostics.HasError() || replicas.IsUnknown() {
		return false
	}
	for _, replica := range replicas.Elements() {
		if replica.IsUnknown() {
			return false
		}
	}
	return true
}

// keepFailover plans the home that the account has, if the configuration's home was only for the beginning.
func keepFailover(config, state, plan *accountModel, resp *resource.ModifyPlanResponse) {
	moved := !config.HomeRegion.IsNull() && !config.HomeRegion.IsUnknown() && !config.HomeRegion.Equal(state.HomeRegion)
	if plan.HomeRegionPolicy.ValueString() == policyAlways || !moved {
		return
	}
	if _, stays := plan.Replicas[state.HomeRegion.ValueString()]; !stays {
		// Its replica is taken away: the home has to move.
		return
	}
	plan.HomeRegion = state.HomeRegion
	plan.AvoidedRegions = state.AvoidedRegions
	resp.Diagnostics.AddAttributeWarning(path.Root("home_region"), "The account's home stays where it is",
		fmt.Sprintf("The account %s has its home in %s, the configuration says %s: it failed over, or home_region was changed. "+
			"Terraform leaves home and avoided regions as they are. To move the home: kv admin failover, or home_region_policy = %q. "+
			"To accept it: home_region = %q.",
			state.Name.ValueString(), state.HomeRegion.ValueString(), config.HomeRegion.ValueString(),
			policyAlways, state.HomeRegion.ValueString()))
}
