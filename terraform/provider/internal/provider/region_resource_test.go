package provider

import (
	"fmt"
	"testing"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

func TestAccRegion(t *testing.T) {
	run(t, func(*testing.T) journey {
		name := unique("region")
		path := client.Path("regions", name)
		return journey{
			address: "kvstore_region.test",
			create:  fmt.Sprintf(`resource "kvstore_region" "test" { name = %q }`, name),
			created: map[string]string{"name": name, "display_name": name},
			update: fmt.Sprintf(`resource "kvstore_region" "test" {
  name         = %q
  display_name = "Frankfurt"
}`, name),
			updated: map[string]string{"display_name": "Frankfurt"},
			unknown: fmt.Sprintf(`
resource "terraform_data" "name" { input = %q }
resource "kvstore_region" "test" { name = terraform_data.name.output }`, name),
			importID: name, found: "name",
			drift: func(t *testing.T) { put(t, path, client.RegionSpec{DisplayName: "Elsewhere"}) },
			end:   func(t *testing.T) { end(t, path) },
		}
	})
}
