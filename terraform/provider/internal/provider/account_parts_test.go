package provider

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

func TestAccAccountLimits(t *testing.T) {
	run(t, func(*testing.T) journey {
		n := unique("limits")
		limits := func(body string) string {
			return world(n) + account(n, "") + fmt.Sprintf(`resource "kvstore_account_limits" "test" {
  account = kvstore_account.test.name
  %s
}`, body)
		}
		return journey{
			address:  "kvstore_account_limits.test",
			create:   limits("operations = 10"),
			created:  map[string]string{"account": n, "operations": "10", "bytes_per_second": "0"},
			update:   limits("operations = 20\nbytes_per_second = 1000000000"),
			updated:  map[string]string{"operations": "20", "bytes_per_second": "1000000000"},
			unknown:  limits("operations = terraform_data.ten.output") + "\nresource \"terraform_data\" \"ten\" { input = 10 }\n",
			importID: n, found: "account",
			drift: func(t *testing.T) {
				put(t, client.Path("accounts", n, "limits"), client.Limits{Operations: 99})
			},
			end: func(t *testing.T) { end(t, client.Path("accounts", n)) },
		}
	})
}

// TestAccAccountAndLimitsChangeTogether: both have one version in the service. The change of one is no conflict for the other.
func TestAccAccountAndLimitsChangeTogether(t *testing.T) {
	t.Parallel()
	controlPlane(t)
	n := unique("together")
	config := func(seconds, operations int) string {
		return asAdmin(t, world(n)+account(n, fmt.Sprintf("  max_offline_seconds = %d\n", seconds))+fmt.Sprintf(`
resource "kvstore_account_limits" "test" {
  account    = kvstore_account.test.name
  operations = %d
}`, operations))
	}
	play(t,
		resource.TestStep{Config: config(600, 10)},
		resource.TestStep{
			Config:           config(700, 20),
			Check:            attributesOf("kvstore_account_limits.test", map[string]string{"operations": "20"}),
			ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPostRefresh: empty},
		},
	)
}

func TestAccGrant(t *testing.T) {
	run(t, func(*testing.T) journey {
		n := unique("grant")
		path := client.Path("accounts", n, "grants", "reader")
		grant := func(body string) string {
			return world(n) + account(n, "") + fmt.Sprintf(`resource "kvstore_grant" "test" {
  account = kvstore_account.test.name
  name    = "reader"
  grantee = kvstore_tenant.guest.name
  %s
}`, body)
		}
		return journey{
			address: "kvstore_grant.test",
			create:  grant(`access = ["read"]`),
			created: map[string]string{"account": n, "grantee": n + "-guest", "access.#": "1"},
			update: grant(`access = ["write", "read"]
  partition  = "model/1"
  expires_at = "2030-01-31T01:00:00+01:00"`),
			updated: map[string]string{"access.#": "2", "partition": "model/1", "expires_at": "2030-01-31T01:00:00+01:00"},
			unknown: grant(`access = terraform_data.access.output`) +
				"\nresource \"terraform_data\" \"access\" { input = toset([\"read\"]) }\n",
			importID: n + "/reader", found: "name",
			drift: func(t *testing.T) {
				put(t, path, client.GrantSpec{Grantee: n + "-guest", Access: []string{"read", "write"}, Partition: "elsewhere"})
			},
			end: func(t *testing.T) { end(t, path) },
		}
	})
}

func TestAccPlacement(t *testing.T) {
	run(t, func(*testing.T) journey {
		n := unique("placement")
		path := client.Path("accounts", n, "placements", n+"-1")
		placement := func(body string) string {
			return world(n) + account(n, "") + fmt.Sprintf(`resource "kvstore_placement" "test" {
  account = kvstore_account.test.name
  region  = kvstore_region.one.name
  %s
}`, body)
		}
		return journey{
			address: "kvstore_placement.test",
			create:  placement("cluster = kvstore_cluster.one.name"),
			created: map[string]string{"account": n, "cluster": n + "-1", "pinned": "false"},
			update:  placement("cluster = kvstore_cluster.two.name\npinned = true"),
			updated: map[string]string{"cluster": n + "-2", "pinned": "true"},
			unknown: placement("cluster = terraform_data.cluster.output") +
				"\nresource \"terraform_data\" \"cluster\" { input = kvstore_cluster.one.name }\n",
			importID: n + "/" + n + "-1", found: "account",
			drift: func(t *testing.T) { put(t, path, client.PlacementSpec{Cluster: n + "-1", Pinned: true}) },
			end:   func(t *testing.T) { end(t, path) },
		}
	})
}

func TestAccRoundTrip(t *testing.T) {
	run(t, func(*testing.T) journey {
		n := unique("trip")
		trip := func(body string) string {
			return world(n) + fmt.Sprintf(`resource "kvstore_round_trip" "test" {
  region = kvstore_region.two.name
  other  = kvstore_region.one.name
  %s
}`, body)
		}
		return journey{
			address:  "kvstore_round_trip.test",
			create:   trip("micros = 1000"),
			created:  map[string]string{"region": n + "-2", "other": n + "-1", "micros": "1000"},
			update:   trip("micros = 2000"),
			updated:  map[string]string{"micros": "2000"},
			unknown:  trip("micros = terraform_data.micros.output") + "\nresource \"terraform_data\" \"micros\" { input = 1000 }\n",
			importID: n + "-2/" + n + "-1", found: "region",
			drift: func(t *testing.T) {
				put(t, client.Path("regions", n+"-1", "round-trips", n+"-2"), client.RoundTripSpec{Micros: 3000})
			},
		}
	})
}
