package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// neverChanges fails the plan of a change that the service would refuse even after a deletion. A resource of another name is
// another resource.
func neverChanges(reason string) planmodifier.String {
	return fixed{reason}
}

type fixed struct {
	reason string
}

// Description says the rule.
func (f fixed) Description(context.Context) string { return "cannot change: " + f.reason }

// MarkdownDescription says the rule.
func (f fixed) MarkdownDescription(ctx context.Context) string { return f.Description(ctx) }

// PlanModifyString holds the rule.
func (f fixed) PlanModifyString(ctx context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse) {
	if req.State.Raw.IsNull() || req.Plan.Raw.IsNull() || req.PlanValue.IsUnknown() || req.PlanValue.Equal(req.StateValue) {
		return
	}
	var before, after types.String
	resp.Diagnostics.Append(req.State.GetAttribute(ctx, path.Root("name"), &before)...)
	resp.Diagnostics.Append(req.Plan.GetAttribute(ctx, path.Root("name"), &after)...)
	if !before.Equal(after) {
		return
	}
	resp.Diagnostics.AddAttributeError(req.Path, "The "+req.Path.String()+" cannot change",
		"It is "+req.StateValue.String()+" and "+f.reason+". Make another resource under another name.")
}
