package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

type tenantData struct {
	Name        string `tfsdk:"name"`
	DisplayName string `tfsdk:"display_name"`
	State       string `tfsdk:"state"`
	CreatedAt   string `tfsdk:"created_at"`
	UpdatedAt   string `tfsdk:"updated_at"`
}

var tenantColumns = columns{
	"name":         text("Name of the tenant."),
	"display_name": text("Name for people."),
	"state":        text("`active` or `suspended`."),
	"created_at":   text("When it was registered."),
	"updated_at":   text("When it was last changed."),
}

func viewTenant(v client.Tenant) tenantData {
	return tenantData{v.Name, v.DisplayName, v.State, v.CreatedAt, v.UpdatedAt}
}

func isEndedTenant(v client.Tenant) bool { return v.State == client.Deleted }

func newTenantData() datasource.DataSource {
	return &lookup[client.Tenant, tenantData]{
		name: "tenant", text: "One tenant.", keys: named(), columns: tenantColumns, view: viewTenant, gone: isEndedTenant,
		get: getAt[client.Tenant](func(k map[string]string) string { return client.Path("tenants", k["name"]) }),
	}
}

func newTenantsData() datasource.DataSource {
	return &listing[client.Tenant, tenantData]{
		name: "tenants", text: "All tenants that the token sees, without deleted ones.", columns: tenantColumns,
		filters: map[string]string{"state": "Only those in this state."},
		at:      func(string) string { return client.Path("tenants") }, view: viewTenant, gone: isEndedTenant,
	}
}

type keyData struct {
	Tenant    string  `tfsdk:"tenant"`
	ID        string  `tfsdk:"id"`
	Label     string  `tfsdk:"label"`
	CreatedAt string  `tfsdk:"created_at"`
	ExpiresAt *string `tfsdk:"expires_at"`
	RevokedAt *string `tfsdk:"revoked_at"`
}

var keyColumns = columns{
	"tenant":     text("Tenant of the key."),
	"id":         text("Id of the key."),
	"label":      text("Text for people."),
	"created_at": text("When it was made."),
	"expires_at": text("When it ends; null: never."),
	"revoked_at": text("When it was revoked; null if it was not."),
}

func viewKey(v client.Key) keyData {
	return keyData{v.Tenant, v.ID, v.Label, v.CreatedAt, v.ExpiresAt, v.RevokedAt}
}

func newKeyData() datasource.DataSource {
	return &lookup[client.Key, keyData]{
		name: "key", text: "One API key, without its secret.", columns: keyColumns, view: viewKey,
		keys: map[string]validator.String{"tenant": isName(), "id": isName()},
		get:  getAt[client.Key](func(k map[string]string) string { return client.Path("tenants", k["tenant"], "keys", k["id"]) }),
	}
}

func newKeysData() datasource.DataSource {
	return &listing[client.Key, keyData]{
		name: "keys", text: "All keys of a tenant, revoked ones among them, without their secrets.",
		parent: "tenant", parentText: "Tenant of the keys.", parentRule: isName(), columns: keyColumns, view: viewKey,
		at: func(tenant string) string { return client.Path("tenants", tenant, "keys") },
	}
}

type grantData struct {
	Account   string   `tfsdk:"account"`
	Name      string   `tfsdk:"name"`
	Grantee   string   `tfsdk:"grantee"`
	KeyID     *string  `tfsdk:"key_id"`
	Access    []string `tfsdk:"access"`
	Partition *string  `tfsdk:"partition"`
	CreatedAt string   `tfsdk:"created_at"`
	ExpiresAt *string  `tfsdk:"expires_at"`
}

var grantColumns = columns{
	"account":    text("Name of the account."),
	"name":       text("Name of the grant within the account."),
	"grantee":    text("Tenant that may use the account."),
	"key_id":     text("Id of the one key of the grantee that may; null: each."),
	"access":     words("`read`, `write` or both."),
	"partition":  text("The one partition of the account; null: each."),
	"created_at": text("When it was made."),
	"expires_at": text("When it ends; null: never."),
}

func viewGrant(v client.Grant) grantData {
	return grantData{v.ResourceName, v.Name, v.Grantee, v.KeyID, v.Access, v.Partition, v.CreatedAt, v.ExpiresAt}
}

func newGrantData() datasource.DataSource {
	return &lookup[client.Grant, grantData]{
		name: "grant", text: "One grant.", columns: grantColumns, view: viewGrant,
		keys: map[string]validator.String{"account": isResourceName(), "name": isName()},
		get: getAt[client.Grant](func(k map[string]string) string {
			return client.Path("accounts", k["account"], "grants", k["name"])
		}),
	}
}

func newGrantsData() datasource.DataSource {
	return &listing[client.Grant, grantData]{
		name: "grants", text: "All grants of an account.",
		parent: "account", parentText: "Name of the account.", parentRule: isResourceName(), columns: grantColumns, view: viewGrant,
		at: func(account string) string { return client.Path("accounts", account, "grants") },
	}
}

type placementData struct {
	Account   string `tfsdk:"account"`
	Region    string `tfsdk:"region"`
	Cluster   string `tfsdk:"cluster"`
	Pinned    bool   `tfsdk:"pinned"`
	Automatic bool   `tfsdk:"automatic"`
}

func newPlacementData() datasource.DataSource {
	return &lookup[client.Placement, placementData]{
		name: "placement", text: "The cluster that serves an account in a region, whoever chose it.",
		keys: map[string]validator.String{"account": isResourceName(), "region": isName()},
		columns: columns{
			"account":   text("Name of the account."),
			"region":    text("Region in which it is served."),
			"cluster":   text("Cluster that serves it."),
			"pinned":    yesNo("Whether no other cluster may serve it in this region."),
			"automatic": yesNo("Whether the platform chose the cluster."),
		},
		get: func(ctx context.Context, c *client.Client, k map[string]string) (client.Placement, error) {
			v, _, err := findPlacement(ctx, c, k["account"], k["region"])
			return v, err
		},
		view: func(v client.Placement) placementData {
			return placementData{v.ResourceName, v.Region, v.Cluster, v.Pinned, v.Automatic}
		},
	}
}
