package provider

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

// TestAccNarrowerToken: a token that sees less than the one before is an error. Nothing leaves the state, nothing is made again.
func TestAccNarrowerToken(t *testing.T) {
	t.Parallel()
	s := controlPlane(t)
	n := unique("narrow")
	put(t, client.Path("regions", n), client.RegionSpec{})
	all := fmt.Sprintf(`
resource "kvstore_tenant" "owner" { name = "%[1]s-owner" }
resource "kvstore_tenant" "guest" { name = "%[1]s-guest" }
resource "kvstore_account" "test" {
  name                = %[1]q
  tenant              = kvstore_tenant.owner.name
  deletion_protection = false
  replicas = { %[1]q = {
    endpoint   = "https://%[1]s.blob.core.windows.net"
    container  = "blocks"
    credential = "managed-identity"
  } }
}
resource "kvstore_grant" "test" {
  account = kvstore_account.test.name
  name    = "reader"
  grantee = kvstore_tenant.guest.name
  access  = ["read"]
}
resource "kvstore_key" "test" { tenant = kvstore_tenant.owner.name }
`, n)
	play(t,
		resource.TestStep{Config: asAdmin(t, all)},
		resource.TestStep{
			Config:      withToken(t, s.TokenOf("tenant-admin", n+"-guest"), all),
			ExpectError: regexp.MustCompile(`(?s)This token may not see the\s+(tenant|account|grant|key).*keeps\s+it\s+in\s+the\s+state`),
		},
		// With the first token nothing has changed.
		resource.TestStep{Config: asAdmin(t, all), ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: empty}},
	)
}

// TestAccTenantAdmin: a tenant's admin manages what is the tenant's, and finds out what was deleted there.
func TestAccTenantAdmin(t *testing.T) {
	t.Parallel()
	s := controlPlane(t)
	n := unique("own")
	for _, name := range []string{n + "-owner", n + "-guest"} {
		put(t, client.Path("tenants", name), client.TenantSpec{})
	}
	put(t, client.Path("regions", n), client.RegionSpec{})
	config := withToken(t, s.TokenOf("tenant-admin", n+"-owner"), fmt.Sprintf(`
resource "kvstore_account" "test" {
  name                = %[1]q
  tenant              = "%[1]s-owner"
  deletion_protection = false
  replicas = { %[1]q = {
    endpoint   = "https://%[1]s.blob.core.windows.net"
    container  = "blocks"
    credential = "managed-identity"
  } }
}
resource "kvstore_grant" "test" {
  account = kvstore_account.test.name
  name    = "reader"
  grantee = "%[1]s-guest"
  access  = ["read"]
}
resource "kvstore_key" "test" { tenant = "%[1]s-owner" }
`, n))
	play(t,
		resource.TestStep{Config: config},
		resource.TestStep{
			PreConfig: func() { end(t, client.Path("accounts", n, "grants", "reader")) },
			Config:    config,
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction("kvstore_grant.test", plancheck.ResourceActionCreate),
				plancheck.ExpectResourceAction("kvstore_account.test", plancheck.ResourceActionNoop),
			}},
		},
		// What a tenant's admin may not do is said at the line.
		resource.TestStep{
			Config:      strings.Replace(config, `container  = "blocks"`, "container  = \"blocks\"\n    vouched    = true", 1),
			ExpectError: regexp.MustCompile(`(?s)vouched is\s+for\s+platform\s+admins`),
		},
		resource.TestStep{
			Config:      config + fmt.Sprintf("resource \"kvstore_tenant\" \"test\" { name = %q }", unique("other")),
			ExpectError: regexp.MustCompile(`(?s)the role tenant-admin does not\s+allow that`),
		},
	)
}

func TestAccBadToken(t *testing.T) {
	t.Parallel()
	controlPlane(t)
	play(t, resource.TestStep{
		Config:      withToken(t, "kva_"+strings.Repeat("x", 30), `data "kvstore_server" "test" {}`),
		ExpectError: regexp.MustCompile(`The control plane does not take the token`),
	})
}

// TestAccAdoptsNothing: a thing that is there is not taken over.
func TestAccAdoptsNothing(t *testing.T) {
	t.Parallel()
	controlPlane(t)
	n := unique("there")
	put(t, client.Path("regions", n), client.RegionSpec{})
	t.Cleanup(func() { _ = client.Delete(t.Context(), behind(t), client.Path("regions", n), client.Precondition{}) })
	config := fmt.Sprintf(`resource "kvstore_region" "test" { name = %q }`, n)
	play(t,
		resource.TestStep{Config: asAdmin(t, config), ExpectError: regexp.MustCompile(`(?s)exists already.*terraform\s+import\s+ADDRESS\s+` + n)},
		resource.TestStep{Config: asAdmin(t, config+fmt.Sprintf("\nimport {\n  to = kvstore_region.test\n  id = %q\n}\n", n))},
	)
}

// TestAccEndpointIsKnownLater: a plan needs no control plane if the endpoint comes from a resource of the same run.
func TestAccEndpointIsKnownLater(t *testing.T) {
	t.Parallel()
	n := unique("later")
	config := strings.Replace(
		asAdmin(t, fmt.Sprintf(`
resource "terraform_data" "endpoint" { input = %q }
resource "kvstore_region" "test" { name = %q }
`, controlPlane(t).URL, n)),
		fmt.Sprintf("endpoint = %q", controlPlane(t).URL), "endpoint = terraform_data.endpoint.output", 1)
	play(t, resource.TestStep{Config: config})
}
