package provider

import (
	"fmt"
	"regexp"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

func TestAccCluster(t *testing.T) {
	run(t, func(*testing.T) journey {
		name := unique("cluster")
		path := client.Path("clusters", name)
		region := fmt.Sprintf("resource \"kvstore_region\" \"test\" { name = %q }\n", name)
		return journey{
			address: "kvstore_cluster.test",
			create: region + fmt.Sprintf(`resource "kvstore_cluster" "test" {
  name   = %q
  region = kvstore_region.test.name
}`, name),
			created: map[string]string{"region": name, "deletion_protection": "false"},
			update: region + fmt.Sprintf(`resource "kvstore_cluster" "test" {
  name               = %q
  region             = kvstore_region.test.name
  state              = "active"
  addresses          = ["10.0.0.0/24:8085-8099", "*.kv.example.com:8085"]
  advertised_address = "kv.example.com:443"
}`, name),
			updated: map[string]string{"state": "active", "addresses.#": "2", "advertised_address": "kv.example.com:443"},
			unknown: fmt.Sprintf(`
resource "terraform_data" "name" { input = %[1]q }
resource "kvstore_region" "test" { name = terraform_data.name.output }
resource "kvstore_cluster" "test" {
  name   = %[1]q
  region = kvstore_region.test.name
}`, name),
			importID: name, found: "name",
			drift: func(t *testing.T) {
				put(t, path, client.ClusterSpec{Region: name, AdvertisedAddress: "elsewhere.example.com"})
			},
			end: func(t *testing.T) { end(t, path) },
		}
	})
}

// TestAccClusterInUse: the deletion of a cluster waits for accounts that are going away, and no longer than it should.
func TestAccClusterInUse(t *testing.T) {
	t.Parallel()
	controlPlane(t)
	n := unique("used")
	put(t, client.Path("regions", n), client.RegionSpec{})
	put(t, client.Path("tenants", n), client.TenantSpec{})
	put(t, client.Path("accounts", n), client.AccountSpec{
		Tenant: n, AllowedRegions: []string{}, AvoidedRegions: []string{},
		Replicas: []client.ReplicaSpec{{
			Region: n, Endpoint: "https://" + n + ".blob.core.windows.net", Container: "blocks", Credential: "managed-identity",
		}},
	})
	config := asAdmin(t, fmt.Sprintf(`resource "kvstore_cluster" "test" {
  name   = %[1]q
  region = %[1]q
}`, n))
	placed := func() {
		put(t, client.Path("accounts", n, "placements", n), client.PlacementSpec{Cluster: n})
	}
	play(t,
		resource.TestStep{Config: config},
		resource.TestStep{PreConfig: placed, Config: asAdmin(t, ""), ExpectError: regexp.MustCompile(`accounts are\s+placed on`)},
		resource.TestStep{
			PreConfig: func() {
				time.AfterFunc(5*time.Second, func() { end(t, client.Path("accounts", n)) })
			},
			Config: asAdmin(t, ""),
		},
	)
}
