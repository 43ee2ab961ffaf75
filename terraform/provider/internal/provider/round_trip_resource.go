package provider

import (
	"context"
	"net/http"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

// roundTripModel is a kvstore_round_trip.
type roundTripModel struct {
	Region types.String `tfsdk:"region"`
	Other  types.String `tfsdk:"other"`
	Micros types.Int64  `tfsdk:"micros"`
}

type roundTripResource struct {
	managed[roundTripModel, client.RoundTripSpec, client.RoundTrip]
}

func newRoundTripResource() resource.Resource {
	r := &roundTripResource{}
	path := func(m *roundTripModel) string {
		return client.Path("regions", m.Region.ValueString(), "round-trips", m.Other.ValueString())
	}
	r.kind = resourceKind[roundTripModel, client.RoundTripSpec, client.RoundTrip]{
		noun: "round trip",
		name: func(m *roundTripModel) string { return m.Region.ValueString() + "/" + m.Other.ValueString() },
		path: path,
		spec: func(_ context.Context, m *roundTripModel, _ *diag.Diagnostics) client.RoundTripSpec {
			return client.RoundTripSpec{Micros: m.Micros.ValueInt64()}
		},
		fill: func(_ context.Context, m *roundTripModel, v client.RoundTrip, _ *diag.Diagnostics) {
			m.Region = types.StringValue(v.Region)
			m.Other = types.StringValue(v.Other)
			m.Micros = types.Int64Value(v.Micros)
		},
		get: func(ctx context.Context, c *client.Client, m *roundTripModel) (client.RoundTrip, string, error) {
			return findRoundTrip(ctx, c, m.Region.ValueString(), m.Other.ValueString())
		},
		// A round trip goes away only with one of its regions: one that was destroyed may be there, and is set again.
		make: func(
			ctx context.Context, c *client.Client, m *roundTripModel, spec client.RoundTripSpec,
		) (client.RoundTrip, string, error) {
			return client.Put[client.RoundTrip](ctx, c, path(m), spec, client.Precondition{})
		},
		end: func(context.Context, *client.Client, *roundTripModel, client.Precondition) error { return nil },
	}
	return r
}

// findRoundTrip reads a round trip out of the list: the service has no other way.
func findRoundTrip(ctx context.Context, c *client.Client, region, other string) (client.RoundTrip, string, error) {
	all, _, err := client.Get[client.Page[client.RoundTrip]](ctx, c, client.Path("regions", region, "round-trips"))
	if err != nil {
		return client.RoundTrip{}, "", err
	}
	for _, trip := range all.Items {
		if trip.Other == other {
			return trip, strconv.Quote(strconv.FormatInt(trip.Version, 10)), nil
		}
	}
	seen := true
	return client.RoundTrip{}, "", &client.Problem{Status: http.StatusNotFound, Title: "there is no such round trip", Visible: &seen}
}

// Metadata names the resource.
func (r *roundTripResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_round_trip"
}

// Schema describes the resource.
func (r *roundTripResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	replaces := []planmodifier.String{stringplanmodifier.RequiresReplace()}
	resp.Schema = schema.Schema{
		MarkdownDescription: "How far two regions are apart: clients go to the nearest region that can serve them. " +
			"The service keeps a round trip until one of its regions is deleted: destroy takes it out of the state and no more.",
		Attributes: map[string]schema.Attribute{
			"region": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "One region. A change replaces the round trip.",
				PlanModifiers:       replaces,
				Validators:          []validator.String{isName()},
			},
			"other": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "The other region. A change replaces the round trip.",
				PlanModifiers:       replaces,
				Validators:          []validator.String{isName()},
			},
			"micros": schema.Int64Attribute{
				Required:            true,
				MarkdownDescription: "Round-trip time in microseconds, 1 to 10000000.",
				Validators:          []validator.Int64{int64validator.Between(1, 10_000_000)},
			},
		},
	}
}

// ImportState takes REGION/OTHER.
func (r *roundTripResource) ImportState(
	ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse,
) {
	importPair(ctx, "region", "other", req, resp)
}
