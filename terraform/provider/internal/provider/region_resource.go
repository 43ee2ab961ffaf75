package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

// regionModel is a kvstore_region.
type regionModel struct {
	Name        types.String `tfsdk:"name"`
	DisplayName types.String `tfsdk:"display_name"`
}

type regionResource struct {
	managed[regionModel, client.RegionSpec, client.Region]
}

func newRegionResource() resource.Resource {
	r := &regionResource{}
	r.kind = resourceKind[regionModel, client.RegionSpec, client.Region]{
		noun: "region",
		name: func(m *regionModel) string { return m.Name.ValueString() },
		path: func(m *regionModel) string { return client.Path("regions", m.Name.ValueString()) },
		spec: func(_ context.Context, m *regionModel, _ *diag.Diagnostics) client.RegionSpec {
			return client.RegionSpec{DisplayName: m.DisplayName.ValueString()}
		},
		fill: func(_ context.Context, m *regionModel, v client.Region, _ *diag.Diagnostics) {
			m.Name = types.StringValue(v.Name)
			m.DisplayName = types.StringValue(v.DisplayName)
		},
	}
	return r
}

// Metadata names the resource.
func (r *regionResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_region"
}

// Schema describes the resource.
func (r *regionResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "A region: where clusters serve and storage lies. A region that has clusters or storage cannot be deleted.",
		Attributes: map[string]schema.Attribute{
			"name": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Name of the region, such as `eu-1`. A change replaces the region.",
				PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
				Validators:          []validator.String{isName()},
			},
			"display_name": schema.StringAttribute{
				Optional:            true,
				Computed:            true,
				MarkdownDescription: "Name for people. Default: `name`.",
				PlanModifiers:       []planmodifier.String{likeAttribute("name")},
				Validators:          []validator.String{isPlainText()},
			},
		},
	}
}

// ImportState takes the region's name.
func (r *regionResource) ImportState(
	ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse,
) {
	resource.ImportStatePassthroughID(ctx, path.Root("name"), req, resp)
}
