package provider

import (
	"context"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

// accountModel is a kvstore_account.
type accountModel struct {
	Name               types.String            `tfsdk:"name"`
	Tenant             types.String            `tfsdk:"tenant"`
	HomeRegion         types.String            `tfsdk:"home_region"`
	HomeRegionPolicy   types.String            `tfsdk:"home_region_policy"`
	AllowedRegions     types.Set               `tfsdk:"allowed_regions"`
	AvoidedRegions     types.Set               `tfsdk:"avoided_regions"`
	ReadThrough        types.Object            `tfsdk:"read_through"`
	MaxOfflineSeconds  types.Int64             `tfsdk:"max_offline_seconds"`
	Replicas           map[string]replicaModel `tfsdk:"replicas"`
	Proofs             types.Map               `tfsdk:"proofs"`
	Warnings           types.List              `tfsdk:"warnings"`
	DeletionProtection types.Bool              `tfsdk:"deletion_protection"`
}

func (m *accountModel) protection() types.Bool { return m.DeletionProtection }

// replicaModel is where blobs are in one region.
type replicaModel struct {
	Endpoint        types.String `tfsdk:"endpoint"`
	Container       types.String `tfsdk:"container"`
	Credential      types.String `tfsdk:"credential"`
	CreateContainer types.Bool   `tfsdk:"create_container"`
	Vouched         types.Bool   `tfsdk:"vouched"`
}

// readThroughModel names the replica that a block is fetched from.
type readThroughModel struct {
	From         types.String `tfsdk:"from"`
	WithinMillis types.Int64  `tfsdk:"within_millis"`
}

var readThroughType = map[string]attr.Type{"from": types.StringType, "within_millis": types.Int64Type}

func accountSpec(ctx context.Context, m *accountModel, diags *diag.Diagnostics) client.AccountSpec {
	spec := client.AccountSpec{
		Tenant:            m.Tenant.ValueString(),
		HomeRegion:        m.HomeRegion.ValueString(),
		AllowedRegions:    texts(ctx, m.AllowedRegions, diags),
		AvoidedRegions:    texts(ctx, m.AvoidedRegions, diags),
		MaxOfflineSeconds: m.MaxOfflineSeconds.ValueInt64Pointer(),
	}
	if m.MaxOfflineSeconds.IsUnknown() {
		spec.MaxOfflineSeconds = nil
	}
	if !m.ReadThrough.IsNull() && !m.ReadThrough.IsUnknown() {
		var through readThroughModel
		diags.Append(m.ReadThrough.As(ctx, &through, basetypes.ObjectAsOptions{})...)
		spec.ReadThrough = &client.ReadThrough{
			From: through.From.ValueString(), WithinMillis: through.WithinMillis.ValueInt64Pointer(),
		}
	}
	for _, region := range m.regions() {
		replica := m.Replicas[region]
		spec.Replicas = append(spec.Replicas, client.ReplicaSpec{
			Region:          region,
			Endpoint:        normalEndpoint(replica.Endpoint.ValueString()),
			Container:       replica.Container.ValueString(),
			Credential:      replica.Credential.ValueString(),
			CreateContainer: replica.CreateContainer.ValueBool(),
			Vouched:         replica.Vouched.ValueBool(),
		})
	}
	return spec
}

// regions are the regions of the replicas, in the order in which the provider sends them.
func (m *accountModel) regions() []string {
	return slices.Sorted(maps.Keys(m.Replicas))
}

func fillAccount(ctx context.Context, m *accountModel, v client.Account, diags *diag.Diagnostics) {
	m.Name = types.StringValue(v.ResourceName)
	m.Tenant = types.StringValue(v.Tenant)
	m.HomeRegion = types.StringValue(v.HomeRegion)
	m.AllowedRegions = types.SetNull(types.StringType)
	if len(v.AllowedRegions) > 0 {
		m.AllowedRegions = set(ctx, v.AllowedRegions, diags)
	}
	m.AvoidedRegions = set(ctx, v.AvoidedRegions, diags)
	m.MaxOfflineSeconds = types.Int64Value(v.MaxOfflineSeconds)
	m.ReadThrough = types.ObjectNull(readThroughType)
	if through := v.ReadThrough; through != nil {
		object, more := types.ObjectValue(readThroughType, map[string]attr.Value{
			"from": types.StringValue(through.From), "within_millis": types.Int64PointerValue(through.WithinMillis),
		})
		diags.Append(more...)
		m.ReadThrough = object
	}
	fillReplicas(m, v.Replicas)
	m.Warnings = warningsOf(v.Replicas)
}

// normalEndpoint is an endpoint in the one form in which the service keeps it: scheme and host in lower case, no last slash.
func normalEndpoint(text string) string {
	u, err := url.Parse(text)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") {
		return strings.TrimSuffix(text, "/")
	}
	u.Scheme = strings.ToLower(u.Scheme)
	u.Host = strings.ToLower(u.Host)
	return strings.TrimSuffix(u.String(), "/")
}
