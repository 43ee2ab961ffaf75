package provider

import (
	"fmt"
	"testing"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

func TestAccTenant(t *testing.T) {
	run(t, func(*testing.T) journey {
		name := unique("tenant")
		path := client.Path("tenants", name)
		return journey{
			address: "kvstore_tenant.test",
			create:  fmt.Sprintf(`resource "kvstore_tenant" "test" { name = %q }`, name),
			created: map[string]string{"name": name, "display_name": name},
			update: fmt.Sprintf(`resource "kvstore_tenant" "test" {
  name         = %q
  display_name = "Acme"
  state        = "suspended"
}`, name),
			updated: map[string]string{"display_name": "Acme", "state": "suspended"},
			unknown: fmt.Sprintf(`
resource "terraform_data" "name" { input = %q }
resource "kvstore_tenant" "test" { name = terraform_data.name.output }`, name),
			importID: name, found: "name",
			drift: func(t *testing.T) { put(t, path, client.TenantSpec{DisplayName: "Elsewhere"}) },
			end:   func(t *testing.T) { end(t, path) },
		}
	})
}
