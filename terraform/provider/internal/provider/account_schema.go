package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64default"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/setplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

const usualReadThroughMillis = 500

// Metadata names the resource.
func (r *accountResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_account"
}

// Schema describes the resource.
func (r *accountResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "A storage account: where a tenant's blocks lie, one container in each of its regions. " +
			"Deletion ends the account and its grants and leaves the blobs where they are; the name stays the tenant's for ever. " +
			"Limits are a resource of their own, `kvstore_account_limits`.",
		Attributes: map[string]schema.Attribute{
			"name": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Name by which clients find the account. A change replaces the account.",
				PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
				Validators:          []validator.String{isResourceName()},
			},
			"tenant": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Tenant that owns the account. It cannot change: the name stays with the tenant even after deletion.",
				PlanModifiers:       []planmodifier.String{neverChanges("an account's name stays with its first tenant for ever")},
				Validators:          []validator.String{isName()},
			},
			"home_region": schema.StringAttribute{
				Optional: true,
				Computed: true,
				MarkdownDescription: "Region of the replica that is home. Needed if there are several replicas. " +
					"See `home_region_policy` for changes.",
				PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
				Validators:    []validator.String{isName()},
			},
			"home_region_policy": schema.StringAttribute{
				Optional: true,
				Computed: true,
				Default:  stringdefault.StaticString(policyInitial),
				MarkdownDescription: "`initial`: `home_region` is used when the account is made, and a failover is never reverted by an apply. " +
					"`always`: an apply moves the home back to `home_region`. Default: `initial`.",
				Validators: []validator.String{oneOf(policyInitial, policyAlways)},
			},
			"allowed_regions": schema.SetAttribute{
				ElementType:         types.StringType,
				Optional:            true,
				MarkdownDescription: "Regions where the account may be served, its home among them. Not set: everywhere.",
				Validators:          []validator.Set{setvalidator.SizeBetween(1, 64), setvalidator.ValueStringsAre(isName())},
			},
			"avoided_regions": schema.SetAttribute{
				ElementType: types.StringType,
				Optional:    true,
				Computed:    true,
				MarkdownDescription: "Regions where the account is not served for now. Not set: Terraform leaves them as they are, " +
					"since a failover changes them. After a failover they stay as they are, as `home_region` does.",
				PlanModifiers: []planmodifier.Set{setplanmodifier.UseStateForUnknown()},
				Validators: []validator.Set{
					setvalidator.SizeAtMost(64),
					setvalidator.ValueStringsAre(isName()),
					setvalidator.AlsoRequires(path.MatchRoot("home_region")),
				},
			},
			"read_through": schema.SingleNestedAttribute{
				Optional:            true,
				MarkdownDescription: "Another replica, that a block is fetched from where one does not have it. Not set: none.",
				Attributes: map[string]schema.Attribute{
					"from": schema.StringAttribute{
						Required:            true,
						MarkdownDescription: "Region of that replica.",
						Validators:          []validator.String{isName()},
					},
					"within_millis": schema.Int64Attribute{
						Optional:            true,
						Computed:            true,
						Default:             int64default.StaticInt64(usualReadThroughMillis),
						MarkdownDescription: "Longest time that a call waits for it, in milliseconds, 10 to 10000. Default: 500.",
						Validators:          []validator.Int64{int64validator.Between(10, 10_000)},
					},
				},
			},
			"max_offline_seconds": schema.Int64Attribute{
				Optional: true,
				Computed: true,
				MarkdownDescription: "For how long a data plane that does not reach the control plane goes on serving the account, " +
					"0 to 86400. Not set: a day for a new account, and Terraform then leaves it as it is.",
				PlanModifiers: []planmodifier.Int64{int64planmodifier.UseStateForUnknown()},
				Validators:    []validator.Int64{int64validator.Between(0, 86_400)},
			},
			"replicas": schema.MapNestedAttribute{
				Required:            true,
				MarkdownDescription: "Where the blobs are, by region, home among them.",
				NestedObject:        schema.NestedAttributeObject{Attributes: replicaAttributes()},
				Validators:          []validator.Map{mapvalidator.SizeBetween(1, 32), mapvalidator.KeysAre(isName())},
			},
			"proofs": schema.MapNestedAttribute{
				Computed: true,
				MarkdownDescription: "By region, the blob that the tenant puts into the container to show that it is theirs. " +
					"Empty where `vouched` is set. A proof stays here after it was accepted.",
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"blob":    schema.StringAttribute{Computed: true, MarkdownDescription: "Name of the blob."},
					"content": schema.StringAttribute{Computed: true, MarkdownDescription: "Content of the blob."},
				}},
			},
			"warnings": schema.ListNestedAttribute{
				Computed: true,
				MarkdownDescription: "Settings of the storages that cost their owner or keep the service from its work, as the last " +
					"trials saw them. Empty until a data plane has tried a storage.",
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"region": schema.StringAttribute{Computed: true, MarkdownDescription: "Region of the replica."},
					"name":   schema.StringAttribute{Computed: true, MarkdownDescription: warningName},
					"known":  schema.BoolAttribute{Computed: true, MarkdownDescription: warningKnown},
					"text":   schema.StringAttribute{Computed: true, MarkdownDescription: warningText},
				}},
			},
			"deletion_protection": schema.BoolAttribute{
				Optional:            true,
				Computed:            true,
				Default:             booldefault.StaticBool(true),
				MarkdownDescription: "Whether Terraform refuses to delete the account. Default: true.",
			},
		},
	}
}
