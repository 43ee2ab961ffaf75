package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// likeAttribute plans another attribute's value where the configuration has none. The service does the same with display names.
func likeAttribute(name string) planmodifier.String {
	return like{name}
}

type like struct {
	name string
}

// Description says the rule.
func (m like) Description(context.Context) string { return "defaults to the value of " + m.name }

// MarkdownDescription says the rule.
func (m like) MarkdownDescription(context.Context) string {
	return "defaults to the value of `" + m.name + "`"
}

// PlanModifyString plans the other attribute's value, which may be unknown.
func (m like) PlanModifyString(ctx context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse) {
	if !req.ConfigValue.IsNull() {
		return
	}
	var other types.String
	resp.Diagnostics.Append(req.Plan.GetAttribute(ctx, path.Root(m.name), &other)...)
	resp.PlanValue = other
}
