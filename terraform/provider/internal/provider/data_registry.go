package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

// named is the key of things that their name tells from all others.
func named() map[string]validator.String { return map[string]validator.String{"name": isName()} }

type regionData struct {
	Name        string `tfsdk:"name"`
	DisplayName string `tfsdk:"display_name"`
	CreatedAt   string `tfsdk:"created_at"`
}

var regionColumns = columns{
	"name":         text("Name of the region."),
	"display_name": text("Name for people."),
	"created_at":   text("When it was registered."),
}

func viewRegion(v client.Region) regionData { return regionData{v.Name, v.DisplayName, v.CreatedAt} }

func newRegionData() datasource.DataSource {
	return &lookup[client.Region, regionData]{
		name: "region", text: "One region.", keys: named(), columns: regionColumns, view: viewRegion,
		get: getAt[client.Region](func(k map[string]string) string { return client.Path("regions", k["name"]) }),
	}
}

func newRegionsData() datasource.DataSource {
	return &listing[client.Region, regionData]{
		name: "regions", text: "All regions.", columns: regionColumns, view: viewRegion,
		at: func(string) string { return client.Path("regions") },
	}
}

type roundTripData struct {
	Region string `tfsdk:"region"`
	Other  string `tfsdk:"other"`
	Micros int64  `tfsdk:"micros"`
}

func newRoundTripData() datasource.DataSource {
	return &lookup[client.RoundTrip, roundTripData]{
		name: "round_trip", text: "How far two regions are apart.",
		keys: map[string]validator.String{"region": isName(), "other": isName()},
		columns: columns{
			"region": text("One region."), "other": text("The other region."), "micros": number("Round-trip time in microseconds."),
		},
		get: func(ctx context.Context, c *client.Client, k map[string]string) (client.RoundTrip, error) {
			v, _, err := findRoundTrip(ctx, c, k["region"], k["other"])
			return v, err
		},
		view: func(v client.RoundTrip) roundTripData { return roundTripData{v.Region, v.Other, v.Micros} },
	}
}

type clusterData struct {
	Name              string   `tfsdk:"name"`
	Region            string   `tfsdk:"region"`
	State             string   `tfsdk:"state"`
	Addresses         []string `tfsdk:"addresses"`
	AdvertisedAddress *string  `tfsdk:"advertised_address"`
	CreatedAt         string   `tfsdk:"created_at"`
	UpdatedAt         string   `tfsdk:"updated_at"`
}

var clusterColumns = columns{
	"name":               text("Name of the cluster."),
	"region":             text("Region of the cluster."),
	"state":              text("`provisioning`, `active`, `draining` or `offline`."),
	"addresses":          words("Patterns of the addresses at which its processes may be."),
	"advertised_address": text("Address at which clients reach its processes; null: each at its own."),
	"created_at":         text("When it was registered."),
	"updated_at":         text("When it was last changed."),
}

func viewCluster(v client.Cluster) clusterData {
	return clusterData{v.Name, v.Region, v.State, v.Addresses, v.AdvertisedAddress, v.CreatedAt, v.UpdatedAt}
}

func newClusterData() datasource.DataSource {
	return &lookup[client.Cluster, clusterData]{
		name: "cluster", text: "One cluster.", keys: named(), columns: clusterColumns, view: viewCluster,
		get: getAt[client.Cluster](func(k map[string]string) string { return client.Path("clusters", k["name"]) }),
	}
}

func newClustersData() datasource.DataSource {
	return &listing[client.Cluster, clusterData]{
		name: "clusters", text: "All clusters, or those of a region or state.", columns: clusterColumns, view: viewCluster,
		filters: map[string]string{"region": "Only those of this region.", "state": "Only those in this state."},
		at:      func(string) string { return client.Path("clusters") },
	}
}

type callerData struct {
	Version    string  `tfsdk:"version"`
	Name       string  `tfsdk:"name"`
	Role       string  `tfsdk:"role"`
	Tenant     *string `tfsdk:"tenant"`
	SeesAll    bool    `tfsdk:"sees_all"`
	ChangesAll bool    `tfsdk:"changes_all"`
}

func newServerData() datasource.DataSource {
	return &lookup[client.Caller, callerData]{
		name: "server", text: "The control plane, and what the provider's token may do there.",
		columns: columns{
			"version":     text("Version of the control plane."),
			"name":        text("Name of the token's bearer, as the audit log has it."),
			"role":        text("Role of the token's bearer."),
			"tenant":      text("The one tenant that the token is for; null for all."),
			"sees_all":    yesNo("Whether the token sees the whole platform."),
			"changes_all": yesNo("Whether the token may change everything."),
		},
		get: getAt[client.Caller](func(map[string]string) string { return client.Path("whoami") }),
		view: func(v client.Caller) callerData {
			return callerData{v.Version, v.Name, v.Role, v.Tenant, v.SeesAll, v.ChangesAll}
		},
	}
}
