package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

// joinTokenModel is a kvstore_join_token.
type joinTokenModel struct {
	Cluster   types.String      `tfsdk:"cluster"`
	ID        types.String      `tfsdk:"id"`
	Label     types.String      `tfsdk:"label"`
	ExpiresAt timetypes.RFC3339 `tfsdk:"expires_at"`
	SecretWO  types.String      `tfsdk:"secret_wo"`
	// SecretWOVersion is null where the control plane made the secret.
	SecretWOVersion types.Int64  `tfsdk:"secret_wo_version"`
	Token           types.String `tfsdk:"token"`
}

type joinTokenResource struct {
	managed[joinTokenModel, client.JoinTokenSpec, client.JoinToken]
}

func newJoinTokenResource() resource.Resource {
	r := &joinTokenResource{}
	r.kind = resourceKind[joinTokenModel, client.JoinTokenSpec, client.JoinToken]{
		noun: "join token",
		name: func(m *joinTokenModel) string { return m.Cluster.ValueString() + "/" + m.ID.ValueString() },
		path: func(m *joinTokenModel) string {
			return client.Path("clusters", m.Cluster.ValueString(), "join-tokens", m.ID.ValueString())
		},
		spec: func(_ context.Context, m *joinTokenModel, _ *diag.Diagnostics) client.JoinTokenSpec {
			return client.JoinTokenSpec{
				Label: m.Label.ValueString(), ExpiresAt: m.ExpiresAt.ValueString(), Secret: m.SecretWO.ValueString(),
			}
		},
		fill: func(_ context.Context, m *joinTokenModel, v client.JoinToken, diags *diag.Diagnostics) {
			m.Cluster = types.StringValue(v.Cluster)
			m.ID = types.StringValue(v.ID)
			m.Label = types.StringValue(v.Label)
			m.ExpiresAt = instant(m.ExpiresAt, v.ExpiresAt, diags)
			m.SecretWO = types.StringNull()
			if m.Token.IsUnknown() {
				m.Token = types.StringNull()
			}
		},
		unkept: chosenSecret,
		make:   makeJoinToken,
		where: func(_ *joinTokenModel, field string) path.Path {
			if field == "secret" {
				return path.Root("secret_wo")
			}
			return path.Empty()
		},
	}
	return r
}

// chosenSecret takes the secret of the configuration. Validation has not seen one that was unknown when it was planned.
func chosenSecret(ctx context.Context, config tfsdk.Config, m *joinTokenModel, diags *diag.Diagnostics) {
	if m.SecretWOVersion.IsNull() {
		return
	}
	diags.Append(config.GetAttribute(ctx, path.Root("secret_wo"), &m.SecretWO)...)
	if !client.SecretPattern.MatchString(m.SecretWO.ValueString()) {
		diags.AddAttributeError(path.Root("secret_wo"), "The secret has another shape", secretRule)
	}
}

// makeJoinToken asks for a token once: the control plane answers a repetition with the same token.
func makeJoinToken(
	ctx context.Context, c *client.Client, m *joinTokenModel, spec client.JoinTokenSpec,
) (client.JoinToken, string, error) {
	at := client.Path("clusters", m.Cluster.ValueString(), "join-tokens")
	made, _, err := client.Post[client.NewJoinToken](ctx, c, at, spec, client.NewID())
	if err != nil {
		return client.JoinToken{}, "", err
	}
	m.Token = types.StringNull()
	if spec.Secret == "" {
		m.Token = types.StringValue(made.Token)
	}
	m.ID = types.StringValue(made.ID)
	v, etag, err := client.Get[client.JoinToken](ctx, c, client.Path("clusters", made.Cluster, "join-tokens", made.ID))
	if err != nil {
		// It was made, and must not get lost: the next refresh reads its version.
		return client.JoinToken{ID: made.ID, Cluster: made.Cluster, Label: made.Label, ExpiresAt: made.ExpiresAt}, "", nil
	}
	return v, etag, nil
}

// Metadata names the resource.
func (r *joinTokenResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_join_token"
}

// Schema describes the resource.
func (r *joinTokenResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	replaces := []planmodifier.String{stringplanmodifier.RequiresReplace()}
	resp.Schema = schema.Schema{
		MarkdownDescription: "A join token: makes its bearer a data plane of a cluster. With `secret_wo` (Terraform 1.11 or newer) the secret is in no state and no plan: " +
			"`\"kvj_${kvstore_join_token.eu_1_a.id}_${ephemeral.random_password.eu_1_a.result}\"` is the whole token. " +
			"Without it the control plane makes the secret, and the state holds it. " +
			"Deletion revokes the token within 3 s; processes that have joined stay until their lease ends.",
		Attributes: map[string]schema.Attribute{
			"cluster": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Cluster of the token. A change replaces the token.",
				PlanModifiers:       replaces,
				Validators:          []validator.String{isName()},
			},
			"id": schema.StringAttribute{
				Computed:            true,
				MarkdownDescription: "Id of the token, which is no secret.",
				PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
			"label": schema.StringAttribute{
				Optional:            true,
				Computed:            true,
				Default:             stringdefault.StaticString(""),
				MarkdownDescription: "Text for people, at most 200 characters. A change replaces the token.",
				PlanModifiers:       replaces,
				Validators:          []validator.String{matches(labelPattern, "must be at most 200 characters, none of them control characters")},
			},
			"expires_at": schema.StringAttribute{
				CustomType:          timetypes.RFC3339Type{},
				Optional:            true,
				MarkdownDescription: "When the token ends, as in `2030-01-31T00:00:00Z`. Not set: never. A change replaces the token.",
				PlanModifiers:       replaces,
			},
			"secret_wo": schema.StringAttribute{
				Optional:            true,
				WriteOnly:           true,
				Sensitive:           true,
				MarkdownDescription: "Secret of the token, 43 to 128 of `A-Z`, `a-z`, `0-9`, `_` and `-`, at random. Never stored: only `secret_wo_version` tells of a change.",
				Validators: []validator.String{
					matches(client.SecretPattern, secretRule),
					stringvalidator.AlsoRequires(path.MatchRoot("secret_wo_version")),
				},
			},
			"secret_wo_version": schema.Int64Attribute{
				Optional: true,
				MarkdownDescription: "A change replaces the token by one with the `secret_wo` of that run, and revokes the one before; to rotate without a gap add another token instead. " +
					"The first version of a token that is there already, imported or made without one, leaves it as it is, and takes `token` out of the state.",
				PlanModifiers: []planmodifier.Int64{int64planmodifier.RequiresReplaceIf(
					versionChanged, "Replaces the token, unless it had no version.", "Replaces the token, unless it had no version.")},
				Validators: []validator.Int64{int64validator.AlsoRequires(path.MatchRoot("secret_wo"))},
			},
			"token": schema.StringAttribute{
				Computed:            true,
				Sensitive:           true,
				MarkdownDescription: "The whole token, if the control plane made its secret. It is in the state. Null with `secret_wo`, and after an import.",
				PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
		},
	}
}

// versionChanged holds for a version that follows another. A first one does not replace a token that data planes have: it would be
// revoked before they could know of another.
func versionChanged(_ context.Context, req planmodifier.Int64Request, resp *int64planmodifier.RequiresReplaceIfFuncResponse) {
	resp.RequiresReplace = !req.StateValue.IsNull()
}

// ModifyPlan plans no token in the state where the secret is of the configuration.
func (r *joinTokenResource) ModifyPlan(
	ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse,
) {
	if req.Plan.Raw.IsNull() {
		return
	}
	var plan joinTokenModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() || plan.SecretWOVersion.IsNull() || plan.SecretWOVersion.IsUnknown() {
		return
	}
	if !plan.Token.IsNull() && !plan.Token.IsUnknown() {
		resp.Diagnostics.AddWarning("The join token "+plan.ID.ValueString()+" keeps its secret",
			"The control plane made it, and it stays good: only the state loses it. secret_wo counts once secret_wo_version changes again, "+
				"or in another token. States and backups of before still have the old secret.")
	}
	resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("token"), types.StringNull())...)
}

// ImportState takes CLUSTER/ID. Nobody can read the secret again.
func (r *joinTokenResource) ImportState(
	ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse,
) {
	importPair(ctx, "cluster", "id", req, resp)
}
