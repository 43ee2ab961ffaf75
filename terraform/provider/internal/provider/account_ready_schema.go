package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/mapplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

// Metadata names the resource.
func (r *readyResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_account_ready"
}

// Schema describes the resource.
func (r *readyResource) Schema(ctx context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Waits until an account can be used: until a data plane found each of its replicas good. " +
			"It is nothing in the control plane: destroy does nothing, and it cannot be imported.",
		Attributes: map[string]schema.Attribute{
			"account": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Name of the account. A change waits again.",
				PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
				Validators:          []validator.String{isResourceName()},
			},
			"triggers": schema.MapAttribute{
				ElementType:         types.StringType,
				Optional:            true,
				MarkdownDescription: "Texts whose change waits again, such as the name of a blob that proves a container.",
				PlanModifiers:       []planmodifier.Map{mapplanmodifier.RequiresReplace()},
			},
			"probe": schema.BoolAttribute{
				Optional:            true,
				Computed:            true,
				Default:             booldefault.StaticBool(true),
				MarkdownDescription: "Whether data planes are asked to try the storage at once, and not at their next turn. Default: true.",
			},
			"timeouts": timeouts.Attributes(ctx, timeouts.Opts{
				Create:            true,
				CreateDescription: "How long to wait, such as `30m`. Default: `10m`.",
			}),
		},
	}
}

// Read takes it out of the state when the account was deleted, so that it waits for the next one.
func (r *readyResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var m readyModel
	resp.Diagnostics.Append(req.State.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() || !r.session.ready(&resp.Diagnostics) {
		return
	}
	v, _, err := client.Get[client.Account](ctx, r.session.calls(ctx), client.Path("accounts", m.Account.ValueString()))
	if client.Gone(err) || (err == nil && v.State == client.Deleted) {
		resp.State.RemoveResource(ctx)
	} else if err != nil {
		readyFailed(&resp.Diagnostics, r.session, m.Account.ValueString(), err)
	}
}

// Update keeps another timeout or probe for the next time.
func (r *readyResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var m readyModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &m)...)
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}

// Delete has nothing to delete.
func (r *readyResource) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}
