package provider

import (
	"fmt"
	"testing"

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
