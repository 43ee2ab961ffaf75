package provider

import (
	"context"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/setplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Metadata names the resource.
func (r *clusterResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_cluster"
}

// Schema describes the resource.
func (r *clusterResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "A cluster: data planes of one region that serve together. " +
			"A cluster that has processes or placed accounts cannot be deleted.",
		Attributes: map[string]schema.Attribute{
			"name": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Name of the cluster. A change replaces the cluster.",
				PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
				Validators:          []validator.String{isName()},
			},
			"region": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Region of the cluster. A change replaces the cluster.",
				PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
				Validators:          []validator.String{isName()},
			},
			"state": schema.StringAttribute{
				Optional: true,
				Computed: true,
				MarkdownDescription: "`provisioning`, `active`, `draining` or `offline`. Not set: a new cluster is `provisioning`, and " +
					"Terraform then leaves the state as it is, so that no apply reverts a drain.",
				PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
				Validators:    []validator.String{oneOf("provisioning", "active", "draining", "offline")},
			},
			"addresses": schema.SetAttribute{
				ElementType: types.StringType,
				Optional:    true,
				Computed:    true,
				MarkdownDescription: "Patterns of the addresses at which its processes may be, `*` for any. " +
					"Not set: a new cluster has `[\"*\"]`, and Terraform then leaves them as they are.",
				PlanModifiers: []planmodifier.Set{setplanmodifier.UseStateForUnknown()},
				Validators:    []validator.Set{setvalidator.SizeBetween(1, 32)},
			},
			"advertised_address": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Address at which clients reach its processes, as through a load balancer: `host:port` for all of " +
					"them, or a host alone for each at its own port. Not set: each process at its own address.",
				Validators: []validator.String{
					stringvalidator.LengthAtLeast(1),
					refusesMatch(regexp.MustCompile(`^none$`), "must be an address: leave the attribute out for none"),
				},
			},
			"deletion_protection": schema.BoolAttribute{
				Optional:            true,
				Computed:            true,
				Default:             booldefault.StaticBool(false),
				MarkdownDescription: "Whether Terraform refuses to delete the cluster. Default: false.",
			},
		},
	}
}
