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

// tenantModel is a kvstore_tenant.
type tenantModel struct {
	Name        types.String `tfsdk:"name"`
	DisplayName types.String `tfsdk:"display_name"`
	State       types.String `tfsdk:"state"`
}

type tenantResource struct {
	managed[tenantModel, client.TenantSpec, client.Tenant]
}

func newTenantResource() resource.Resource {
	r := &tenantResource{}
	r.kind = resourceKind[tenantModel, client.TenantSpec, client.Tenant]{
		noun: "tenant",
		name: func(m *tenantModel) string { return m.Name.ValueString() },
		path: func(m *tenantModel) string { return client.Path("tenants", m.Name.ValueString()) },
		spec: func(_ context.Context, m *tenantModel, _ *diag.Diagnostics) client.TenantSpec {
			return client.TenantSpec{DisplayName: m.DisplayName.ValueString(), State: m.State.ValueString()}
		},
		fill: func(_ context.Context, m *tenantModel, v client.Tenant, _ *diag.Diagnostics) {
			m.Name = types.StringValue(v.Name)
			m.DisplayName = types.StringValue(v.DisplayName)
			m.State = types.StringValue(v.State)
		},
		gone: func(v client.Tenant) bool { return v.State == client.Deleted },
	}
	return r
}

// Metadata names the resource.
func (r *tenantResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_tenant"
}

// Schema describes the resource.
func (r *tenantResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "A tenant: a customer with storage accounts, or a user of the accounts of others. " +
			"Deletion revokes its keys and the grants to it; a tenant with accounts cannot be deleted. " +
			"A name stays taken for ever: the same name made again is the same tenant, without its keys and grants.",
		Attributes: map[string]schema.Attribute{
			"name": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Name of the tenant. A change replaces the tenant.",
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
			"state": schema.StringAttribute{
				Optional: true,
				Computed: true,
				MarkdownDescription: "`active` or `suspended`: the keys of a suspended tenant are refused. " +
					"Not set: Terraform leaves it as it is, so that no apply ends a suspension.",
				PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
				Validators:    []validator.String{oneOf("active", "suspended")},
			},
		},
	}
}

// ImportState takes the tenant's name.
func (r *tenantResource) ImportState(
	ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse,
) {
	resource.ImportStatePassthroughID(ctx, path.Root("name"), req, resp)
}
