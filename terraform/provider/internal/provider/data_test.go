package provider

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
)

// TestAccDataSources: what resources made is read back, one by one and in lists.
func TestAccDataSources(t *testing.T) {
	t.Parallel()
	controlPlane(t)
	n := unique("data")
	play(t, resource.TestStep{
		Config: asAdmin(t, world(n)+account(n, "")+`
resource "kvstore_grant" "test" {
  account = kvstore_account.test.name
  name    = "reader"
  grantee = kvstore_tenant.guest.name
  access  = ["read"]
}
resource "kvstore_round_trip" "test" {
  region = kvstore_region.one.name
  other  = kvstore_region.two.name
  micros = 1000
}
resource "kvstore_placement" "test" {
  account = kvstore_account.test.name
  region  = kvstore_region.one.name
  cluster = kvstore_cluster.one.name
}
resource "kvstore_key" "test" { tenant = kvstore_tenant.owner.name }

data "kvstore_region" "test" { name = kvstore_region.one.name }
data "kvstore_regions" "test" { depends_on = [kvstore_region.one] }
data "kvstore_round_trip" "test" {
  region = kvstore_round_trip.test.other
  other  = kvstore_round_trip.test.region
}
data "kvstore_cluster" "test" { name = kvstore_cluster.one.name }
data "kvstore_clusters" "test" {
  region     = kvstore_region.one.name
  depends_on = [kvstore_cluster.one, kvstore_cluster.two]
}
data "kvstore_tenant" "test" { name = kvstore_tenant.owner.name }
data "kvstore_tenants" "test" { depends_on = [kvstore_tenant.owner, kvstore_tenant.guest] }
data "kvstore_key" "test" {
  tenant = kvstore_key.test.tenant
  id     = kvstore_key.test.id
}
data "kvstore_keys" "test" { tenant = kvstore_key.test.tenant }
data "kvstore_account" "test" { name = kvstore_account.test.name }
data "kvstore_accounts" "test" { tenant = kvstore_account.test.tenant }
data "kvstore_grant" "test" {
  account = kvstore_grant.test.account
  name    = kvstore_grant.test.name
}
data "kvstore_grants" "test" { account = kvstore_grant.test.account }
data "kvstore_placement" "test" {
  account = kvstore_placement.test.account
  region  = kvstore_placement.test.region
}
data "kvstore_route" "test" {
  account = kvstore_placement.test.account
  region  = kvstore_placement.test.region
}
data "kvstore_server" "test" {}
`),
		Check: resource.ComposeAggregateTestCheckFunc(
			resource.TestCheckResourceAttr("data.kvstore_region.test", "display_name", n+"-1"),
			resource.TestCheckTypeSetElemNestedAttrs("data.kvstore_regions.test", "regions.*", map[string]string{"name": n + "-1"}),
			resource.TestCheckResourceAttr("data.kvstore_round_trip.test", "micros", "1000"),
			resource.TestCheckResourceAttr("data.kvstore_cluster.test", "state", "provisioning"),
			resource.TestCheckResourceAttr("data.kvstore_clusters.test", "clusters.#", "2"),
			resource.TestCheckResourceAttr("data.kvstore_tenant.test", "state", "active"),
			resource.TestCheckTypeSetElemNestedAttrs("data.kvstore_tenants.test", "tenants.*", map[string]string{"name": n + "-guest"}),
			resource.TestCheckNoResourceAttr("data.kvstore_key.test", "revoked_at"),
			resource.TestCheckResourceAttr("data.kvstore_keys.test", "keys.#", "1"),
			resource.TestCheckResourceAttr("data.kvstore_account.test", "ready", "false"),
			resource.TestCheckResourceAttrPair("data.kvstore_account.test", "replicas."+n+"-1.proof.content",
				"kvstore_account.test", "proofs."+n+"-1.content"),
			resource.TestCheckResourceAttr("data.kvstore_accounts.test", "accounts.#", "1"),
			resource.TestCheckResourceAttr("data.kvstore_grant.test", "access.#", "1"),
			resource.TestCheckResourceAttr("data.kvstore_grants.test", "grants.0.grantee", n+"-guest"),
			resource.TestCheckResourceAttr("data.kvstore_placement.test", "automatic", "false"),
			resource.TestCheckResourceAttr("data.kvstore_route.test", "levels.#", "0"),
			resource.TestCheckResourceAttr("data.kvstore_server.test", "role", "platform-admin"),
			resource.TestMatchResourceAttr("data.kvstore_server.test", "version", regexp.MustCompile(`.+`)),
		),
	})
}

func TestAccDataSourceOfNothing(t *testing.T) {
	t.Parallel()
	controlPlane(t)
	play(t, resource.TestStep{
		Config:      asAdmin(t, fmt.Sprintf(`data "kvstore_tenant" "test" { name = %q }`, unique("nobody"))),
		ExpectError: regexp.MustCompile(`Cannot read the tenant`),
	})
}

func TestAccParseResourceName(t *testing.T) {
	t.Parallel()
	controlPlane(t)
	play(t, resource.TestStep{
		Config: asAdmin(t, `output "name" { value = provider::kvstore::parse_resource_name("https://acme.blob.core.windows.net/blocks").name }`),
		Check:  resource.TestCheckOutput("name", "acme"),
	})
}
