package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// Metadata names the ephemeral resource.
func (e *tokenEphemeral) Metadata(_ context.Context, req ephemeral.MetadataRequest, resp *ephemeral.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_token"
}

// Schema describes the ephemeral resource.
func (e *tokenEphemeral) Schema(_ context.Context, _ ephemeral.SchemaRequest, resp *ephemeral.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "An API key of a tenant that lives for one run of Terraform, as for a smoke test in CI. " +
			"It is in no state and no plan, and is revoked when the run ends. Terraform makes one at each plan and each apply.",
		Attributes: map[string]schema.Attribute{
			"tenant": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Tenant of the key. It must be there when Terraform plans.",
				Validators:          []validator.String{isName()},
			},
			"label": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Text for people, at most 200 characters. Default: `terraform`.",
				Validators:          []validator.String{matches(labelPattern, "must be at most 200 characters, none of them control characters")},
			},
			"expires_in": schema.StringAttribute{
				CustomType:          timetypes.GoDurationType{},
				Optional:            true,
				MarkdownDescription: "For how long the key is good if it is neither prolonged nor revoked, `1m` to `24h`. A longer run prolongs it. Default: `15m`.",
			},
			"revoke_on_close": schema.BoolAttribute{
				Optional:            true,
				MarkdownDescription: "Whether the key is revoked when the run ends; else it ends by itself. Default: true.",
			},
			"id": schema.StringAttribute{
				Computed:            true,
				MarkdownDescription: "Id of the key, which is no secret.",
			},
			"token": schema.StringAttribute{
				Computed:            true,
				Sensitive:           true,
				MarkdownDescription: "The whole key, `kv_ID_SECRET`.",
			},
			"expires_at": schema.StringAttribute{
				CustomType:          timetypes.RFC3339Type{},
				Computed:            true,
				MarkdownDescription: "When the key ends if it is neither prolonged nor revoked.",
			},
		},
	}
}
