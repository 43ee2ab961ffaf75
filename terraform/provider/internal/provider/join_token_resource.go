package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

// joinTokenModel is a kvstore_join_token.
type joinTokenModel struct {
	Cluster   types.String      `tfsdk:"cluster"`
	ID        types.String      `tfsdk:"id"`
	Label     types.String      `tfsdk:"label"`
	ExpiresAt timetypes.RFC3339 `tfsdk:"expires_at"`
	Token     types.String      `tfsdk:"token"`
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
			return client.JoinTokenSpec{Label: m.Label.ValueString(), ExpiresAt: m.ExpiresAt.ValueString()}
		},
		fill: func(_ context.Context, m *joinTokenModel, v client.JoinToken, diags *diag.Diagnostics) {
			m.Cluster = types.StringValue(v.Cluster)
			m.ID = types.StringValue(v.ID)
			m.Label = types.StringValue(v.Label)
			m.ExpiresAt = instant(m.ExpiresAt, v.ExpiresAt, diags)
			if m.Token.IsUnknown() {
				m.Token = types.StringNull()
			}
		},
		make: makeJoinToken,
	}
	return r
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
	m.Token = types.StringValue(made.Token)
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
		MarkdownDescription: "A join token: makes its bearer a data plane of a cluster. The control plane makes the secret, and the state holds it. " +
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
			"token": schema.StringAttribute{
				Computed:            true,
				Sensitive:           true,
				MarkdownDescription: "The whole token. It is in the state. Null after an import.",
				PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
		},
	}
}

// ImportState takes CLUSTER/ID. Nobody can read the secret again.
func (r *joinTokenResource) ImportState(
	ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse,
) {
	importPair(ctx, "cluster", "id", req, resp)
}
