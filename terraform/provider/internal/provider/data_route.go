package provider

import (
	"context"
	"net/url"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

type routeData struct {
	Account string      `tfsdk:"account"`
	Region  string      `tfsdk:"region"`
	Levels  []levelData `tfsdk:"levels"`
}

type levelData struct {
	Region          string       `tfsdk:"region"`
	RoundTripMicros int64        `tfsdk:"round_trip_micros"`
	Share           int64        `tfsdk:"share"`
	Panic           bool         `tfsdk:"panic"`
	Targets         []targetData `tfsdk:"targets"`
}

type targetData struct {
	Cluster string `tfsdk:"cluster"`
	Process string `tfsdk:"process"`
	Address string `tfsdk:"address"`
	Weight  int64  `tfsdk:"weight"`
}

func newRouteData() datasource.DataSource {
	return &lookup[client.Route, routeData]{
		name: "route", text: "The processes that serve an account for clients of a region, as of now.",
		keys: map[string]validator.String{"account": isResourceName(), "region": isName()},
		columns: columns{
			"account": text("Name of the account."),
			"region":  text("Region of the clients."),
			"levels": {text: "Groups of processes, the nearest first; a client goes on as a group is full.", many: inList, nested: columns{
				"region":            text("Region of the processes."),
				"round_trip_micros": number("Round-trip time to there, in microseconds."),
				"share":             number("Share of the clients' calls, in percent."),
				"panic":             yesNo("Whether too few processes are well, so that all are used."),
				"targets": {text: "The processes.", many: inList, nested: columns{
					"cluster": text("Cluster of the process."),
					"process": text("Name of the process."),
					"address": text("Address of the process."),
					"weight":  number("Its share of the calls, beside the others'."),
				}},
			}},
		},
		get: func(ctx context.Context, c *client.Client, k map[string]string) (client.Route, error) {
			query := url.Values{"region": {k["region"]}}
			v, _, err := client.Get[client.Route](ctx, c, client.Path("routes", k["account"])+"?"+query.Encode())
			return v, err
		},
		view: viewRoute,
	}
}

func viewRoute(v client.Route) routeData {
	d := routeData{Account: v.ResourceName, Region: v.Region, Levels: []levelData{}}
	for _, level := range v.Levels {
		l := levelData{level.Region, level.RoundTripMicros, level.Share, level.Panic, []targetData{}}
		for _, t := range level.Targets {
			l.Targets = append(l.Targets, targetData{t.Cluster, t.Process, t.Address, t.Weight})
		}
		d.Levels = append(d.Levels, l)
	}
	return d
}
