package provider

import (
	"context"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

var partitionPattern = regexp.MustCompile(`^[^\x00-\x1F\x7F]{1,255}$`)

// grantModel is a kvstore_grant.
type grantModel struct {
	Account   types.String      `tfsdk:"account"`
	Name      types.String      `tfsdk:"name"`
	Grantee   types.String      `tfsdk:"grantee"`
	KeyID     types.String      `tfsdk:"key_id"`
	Access    types.Set         `tfsdk:"access"`
	Partition types.String      `tfsdk:"partition"`
	ExpiresAt timetypes.RFC3339 `tfsdk:"expires_at"`
}

type grantResource struct {
	managed[grantModel, client.GrantSpec, client.Grant]
}

func newGrantResource() resource.Resource {
	r := &grantResource{}
	r.kind = resourceKind[grantModel, client.GrantSpec, client.Grant]{
		noun: "grant",
		name: func(m *grantModel) string { return m.Account.ValueString() + "/" + m.Name.ValueString() },
		path: func(m *grantModel) string {
			return client.Path("accounts", m.Account.ValueString(), "grants", m.Name.ValueString())
		},
		spec: func(ctx context.Context, m *grantModel, diags *diag.Diagnostics) client.GrantSpec {
			return client.GrantSpec{
				Grantee:   m.Grantee.ValueString(),
				KeyID:     m.KeyID.ValueString(),
				Access:    texts(ctx, m.Access, diags),
				Partition: m.Partition.ValueString(),
				ExpiresAt: m.ExpiresAt.ValueString(),
			}
		},
		fill: func(ctx context.Context, m *grantModel, v client.Grant, diags *diag.Diagnostics) {
			m.Account = types.StringValue(v.ResourceName)
			m.Name = types.StringValue(v.Name)
			m.Grantee = types.StringValue(v.Grantee)
			m.KeyID = types.StringPointerValue(v.KeyID)
			m.Access = set(ctx, v.Access, diags)
			m.Partition = types.StringPointerValue(v.Partition)
			m.ExpiresAt = instant(m.ExpiresAt, v.ExpiresAt, diags)
		},
	}
	return r
}

// Metadata names the resource.
func (r *grantResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_grant"
}

// Schema describes the resource.
func (r *grantResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	replaces := []planmodifier.String{stringplanmodifier.RequiresReplace()}
	resp.Schema = schema.Schema{
		MarkdownDescription: "Lets another tenant's keys read or write an account, or one partition of it. Deletion takes that back within 5 s.",
		Attributes: map[string]schema.Attribute{
			"account": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Name of the account. A change replaces the grant.",
				PlanModifiers:       replaces,
				Validators:          []validator.String{isResourceName()},
			},
			"name": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Name of the grant within the account. A change replaces the grant.",
				PlanModifiers:       replaces,
				Validators:          []validator.String{isName()},
			},
			"grantee": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Tenant that may use the account; another than its owner. A change replaces the grant.",
				PlanModifiers:       replaces,
				Validators:          []validator.String{isName()},
			},
			"key_id": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Id of the one key of the grantee that may. Not set: each of its keys.",
				Validators:          []validator.String{isName()},
			},
			"access": schema.SetAttribute{
				ElementType:         types.StringType,
				Required:            true,
				MarkdownDescription: "`read`, `write` or both.",
				Validators: []validator.Set{
					setvalidator.SizeAtLeast(1), setvalidator.ValueStringsAre(oneOf("read", "write")),
				},
			},
			"partition": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "The one partition of the account. Not set: each of them.",
				Validators: []validator.String{
					matches(partitionPattern, "must be 1 to 255 characters, none of them control characters"),
				},
			},
			"expires_at": schema.StringAttribute{
				CustomType:          timetypes.RFC3339Type{},
				Optional:            true,
				MarkdownDescription: "When the grant ends, as in `2030-01-31T00:00:00Z`. Not set: never.",
			},
		},
	}
}

// ImportState takes ACCOUNT/NAME.
func (r *grantResource) ImportState(
	ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse,
) {
	importPair(ctx, "account", "name", req, resp)
}
