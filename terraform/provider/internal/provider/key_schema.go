package provider

import (
	"context"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

const (
	secretRule   = "must be 43 to 128 of A-Z, a-z, 0-9, '_' and '-', at random"
	usualOverlap = "24h"
)

var labelPattern = regexp.MustCompile(`^[^\x00-\x1F\x7F]{0,200}$`)

// Metadata names the resource.
func (r *keyResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_key"
}

// Schema describes the resource.
func (r *keyResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	keeps := []planmodifier.String{stringplanmodifier.UseStateForUnknown()}
	resp.Schema = schema.Schema{
		MarkdownDescription: "An API key of a tenant: `kv_ID_SECRET`. With `secret_wo` (Terraform 1.11 or newer) the secret is in no state and no plan, " +
			"and the control plane gets its hash alone: `\"kv_${kvstore_key.writer.id}_${ephemeral.random_password.writer.result}\"` is the whole key. " +
			"Without it the provider makes the secret, and the state holds it. Deletion revokes the key: data planes refuse it within 5 s.",
		Attributes: map[string]schema.Attribute{
			"tenant": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Tenant of the key. A change replaces the key.",
				PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
				Validators:          []validator.String{isName()},
			},
			"id": schema.StringAttribute{
				Computed:            true,
				MarkdownDescription: "Id of the key, which is no secret. A rotation changes it.",
				PlanModifiers:       keeps,
			},
			"label": schema.StringAttribute{
				Optional:            true,
				Computed:            true,
				Default:             stringdefault.StaticString(""),
				MarkdownDescription: "Text for people, at most 200 characters.",
				Validators:          []validator.String{matches(labelPattern, "must be at most 200 characters, none of them control characters")},
			},
			"expires_at": schema.StringAttribute{
				CustomType:          timetypes.RFC3339Type{},
				Optional:            true,
				MarkdownDescription: "When the key ends, as in `2030-01-31T00:00:00Z`. Not set: never.",
			},
			"secret_wo": schema.StringAttribute{
				Optional:            true,
				WriteOnly:           true,
				Sensitive:           true,
				MarkdownDescription: "Secret of the key, 43 to 128 of `A-Z`, `a-z`, `0-9`, `_` and `-`, at random. Never stored: only `secret_wo_version` tells of a change.",
				Validators: []validator.String{
					matches(client.SecretPattern, secretRule),
					stringvalidator.AlsoRequires(path.MatchRoot("secret_wo_version")),
				},
			},
			"secret_wo_version": schema.Int64Attribute{
				Optional:            true,
				MarkdownDescription: "Raise it to rotate: a new key is made with the `secret_wo` of that run, and the one before ends after `rotation_overlap`. After an import the first version changes nothing.",
				Validators:          []validator.Int64{int64validator.AlsoRequires(path.MatchRoot("secret_wo"))},
			},
			"secret": schema.StringAttribute{
				Computed:            true,
				Sensitive:           true,
				MarkdownDescription: "Secret that the provider made. It is in the state. Null with `secret_wo`, and after an import.",
				PlanModifiers:       keeps,
			},
			"key": schema.StringAttribute{
				Computed:            true,
				Sensitive:           true,
				MarkdownDescription: "Whole key with the secret that the provider made. It is in the state. Null with `secret_wo`, and after an import.",
				PlanModifiers:       keeps,
			},
			"rotation_overlap": schema.StringAttribute{
				CustomType:          timetypes.GoDurationType{},
				Optional:            true,
				Computed:            true,
				Default:             stringdefault.StaticString(usualOverlap),
				MarkdownDescription: "For how long the key before stays good after a rotation, such as `1h`; `0s` revokes it at once. Default: `24h`.",
			},
			"previous_id": schema.StringAttribute{
				Computed:            true,
				MarkdownDescription: "Id of the key before the last rotation.",
				PlanModifiers:       keeps,
			},
			"previous_ends_at": schema.StringAttribute{
				CustomType:          timetypes.RFC3339Type{},
				Computed:            true,
				MarkdownDescription: "When the key before ends or ended.",
				PlanModifiers:       keeps,
			},
		},
	}
}

// ImportState takes TENANT/ID. Nobody can read the secret again.
func (r *keyResource) ImportState(
	ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse,
) {
	importPair(ctx, "tenant", "id", req, resp)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("rotation_overlap"), usualOverlap)...)
}
