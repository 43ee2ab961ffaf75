package provider

import (
	"context"
	"net/http"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

// placementModel is a kvstore_placement.
type placementModel struct {
	Account types.String `tfsdk:"account"`
	Region  types.String `tfsdk:"region"`
	Cluster types.String `tfsdk:"cluster"`
	Pinned  types.Bool   `tfsdk:"pinned"`
}

type placementResource struct {
	managed[placementModel, client.PlacementSpec, client.Placement]
}

func newPlacementResource() resource.Resource {
	r := &placementResource{}
	r.kind = resourceKind[placementModel, client.PlacementSpec, client.Placement]{
		noun: "placement",
		name: func(m *placementModel) string { return m.Account.ValueString() + "/" + m.Region.ValueString() },
		path: func(m *placementModel) string {
			return client.Path("accounts", m.Account.ValueString(), "placements", m.Region.ValueString())
		},
		spec: func(_ context.Context, m *placementModel, _ *diag.Diagnostics) client.PlacementSpec {
			return client.PlacementSpec{Cluster: m.Cluster.ValueString(), Pinned: m.Pinned.ValueBool()}
		},
		fill: func(_ context.Context, m *placementModel, v client.Placement, _ *diag.Diagnostics) {
			m.Account = types.StringValue(v.ResourceName)
			m.Region = types.StringValue(v.Region)
			m.Cluster = types.StringValue(v.Cluster)
			m.Pinned = types.BoolValue(v.Pinned)
		},
		get: func(ctx context.Context, c *client.Client, m *placementModel) (client.Placement, string, error) {
			return findPlacement(ctx, c, m.Account.ValueString(), m.Region.ValueString())
		},
		make: makePlacement,
		// The platform has chosen a cluster since: nobody manages the placement any more.
		gone: func(v client.Placement) bool { return v.Automatic },
	}
	return r
}

// findPlacement reads a placement out of the list: the service has no other way.
func findPlacement(ctx context.Context, c *client.Client, account, region string) (client.Placement, string, error) {
	all, _, err := client.Get[client.Page[client.Placement]](ctx, c, client.Path("accounts", account, "placements"))
	if err != nil {
		return client.Placement{}, "", err
	}
	for _, p := range all.Items {
		if p.Region == region {
			return p, strconv.Quote(strconv.FormatInt(p.Version, 10)), nil
		}
	}
	seen := true
	return client.Placement{}, "", &client.Problem{Status: http.StatusNotFound, Title: "there is no such placement", Visible: &seen}
}

// makePlacement takes the place of a placement that the platform chose, never of one that an admin made.
func makePlacement(
	ctx context.Context, c *client.Client, m *placementModel, spec client.PlacementSpec,
) (client.Placement, string, error) {
	path := client.Path("accounts", m.Account.ValueString(), "placements", m.Region.ValueString())
	for try := 0; ; try++ {
		pre := client.Precondition{Absent: true}
		known, etag, err := findPlacement(ctx, c, m.Account.ValueString(), m.Region.ValueString())
		if err == nil && known.Automatic {
			pre = client.Precondition{Match: etag}
		} else if err != nil && !client.Gone(err) {
			return known, "", err
		}
		v, etag, err := client.Put[client.Placement](ctx, c, path, spec, pre)
		adminMade := pre.Absent && known.Cluster != ""
		if !client.Stale(err) || adminMade || try == rebases {
			return v, etag, err
		}
	}
}

// Metadata names the resource.
func (r *placementResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_placement"
}

// Schema describes the resource.
func (r *placementResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	replaces := []planmodifier.String{stringplanmodifier.RequiresReplace()}
	resp.Schema = schema.Schema{
		MarkdownDescription: "The cluster that serves an account in a region. Only platform admins set it. " +
			"Without one the platform chooses the cluster; deletion leaves the choice to it again.",
		Attributes: map[string]schema.Attribute{
			"account": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Name of the account. A change replaces the placement.",
				PlanModifiers:       replaces,
				Validators:          []validator.String{isResourceName()},
			},
			"region": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Region in which it is served. A change replaces the placement.",
				PlanModifiers:       replaces,
				Validators:          []validator.String{isName()},
			},
			"cluster": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Cluster of that region.",
				Validators:          []validator.String{isName()},
			},
			"pinned": schema.BoolAttribute{
				Optional:            true,
				Computed:            true,
				Default:             booldefault.StaticBool(false),
				MarkdownDescription: "Whether no other cluster may serve the account in this region. Default: false.",
			},
		},
	}
}

// ImportState takes ACCOUNT/REGION.
func (r *placementResource) ImportState(
	ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse,
) {
	importPair(ctx, "account", "region", req, resp)
}
