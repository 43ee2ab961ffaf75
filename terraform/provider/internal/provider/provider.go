// Package provider has the Terraform provider for KV Store: its resources, data sources, ephemeral resources and functions.
package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// Address is the address under which configurations name the provider.
const Address = "kvstore.dev/kvstore/kvstore"

const typeName = "kvstore"

// kvstore is the provider. One process of it serves one provider block.
type kvstore struct {
	version string
}

var (
	_ provider.ProviderWithEphemeralResources = (*kvstore)(nil)
	_ provider.ProviderWithFunctions          = (*kvstore)(nil)
)

// New returns a factory of providers of this version.
func New(version string) func() provider.Provider {
	return func() provider.Provider { return &kvstore{version} }
}

// Metadata names the provider.
func (p *kvstore) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = typeName
	resp.Version = p.version
}

// Resources are the kinds of things that Terraform makes and changes.
func (p *kvstore) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{
		newRegionResource,
		newClusterResource,
		newTenantResource,
		newRoundTripResource,
		newAccountResource,
		newAccountLimitsResource,
		newGrantResource,
		newPlacementResource,
		newKeyResource,
		newAccountReadyResource,
		newJoinTokenResource,
		newWarmingResource,
	}
}

// DataSources are the kinds of things that Terraform reads.
func (p *kvstore) DataSources(context.Context) []func() datasource.DataSource {
	return []func() datasource.DataSource{
		newRegionData, newRegionsData, newRoundTripData,
		newClusterData, newClustersData,
		newTenantData, newTenantsData, newKeyData, newKeysData,
		newAccountData, newAccountsData, newGrantData, newGrantsData, newPlacementData,
		newRouteData, newServerData,
	}
}

// EphemeralResources are values that are in no state and no plan.
func (p *kvstore) EphemeralResources(context.Context) []func() ephemeral.EphemeralResource {
	return []func() ephemeral.EphemeralResource{newTokenEphemeral}
}

// Functions need no control plane.
func (p *kvstore) Functions(context.Context) []func() function.Function {
	return []func() function.Function{newParseFunction}
}
