package provider

import (
	"fmt"
	"net/url"
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"kvstore.dev/terraform-provider-kvstore/internal/acctest"
	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

// readyWorld is an active cluster with a join token, and an account in a folder of this machine.
func readyWorld(n, folder string) string {
	return fmt.Sprintf(`
resource "kvstore_region" "test" { name = %[1]q }
resource "kvstore_tenant" "test" { name = %[1]q }
resource "kvstore_cluster" "test" {
  name   = %[1]q
  region = kvstore_region.test.name
  state  = "active"
}
resource "kvstore_join_token" "test" {
  cluster = kvstore_cluster.test.name
  label   = "for the test"
}
resource "kvstore_account" "test" {
  name                = %[1]q
  tenant              = kvstore_tenant.test.name
  deletion_protection = false
  replicas = { (kvstore_region.test.name) = {
    endpoint = "file://%[2]s"
    vouched  = true
  } }
}
`, n, folder)
}

func ready(timeout string) string {
	return fmt.Sprintf(`
resource "kvstore_account_ready" "test" {
  account  = kvstore_account.test.name
  timeouts = { create = %q }
}
`, timeout)
}

// TestAccAccountReady: without a data plane it times out and says why; with one it ends.
func TestAccAccountReady(t *testing.T) {
	t.Parallel()
	s := controlPlane(t)
	n := unique("ready")
	folder, err := s.Folder(n)
	if err != nil {
		t.Fatal(err)
	}
	var node *acctest.DataPlane
	var token string
	play(t,
		resource.TestStep{
			Config: asAdmin(t, readyWorld(n, folder)),
			Check: resource.TestCheckResourceAttrWith("kvstore_join_token.test", "token", func(value string) error {
				token = value
				return nil
			}),
			ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPostRefresh: empty},
		},
		resource.TestStep{
			ResourceName: "kvstore_join_token.test", ImportState: true, ImportStateVerify: true,
			ImportStateIdFunc: func(state *terraform.State) (string, error) {
				return n + "/" + state.RootModule().Resources["kvstore_join_token.test"].Primary.Attributes["id"], nil
			},
			ImportStateVerifyIgnore: []string{"token"},
		},
		resource.TestStep{
			Config:      asAdmin(t, readyWorld(n, folder)+ready("2s")),
			ExpectError: regexp.MustCompile(`(?s)is not ready after 2s.*no data plane has tried it`),
		},
		resource.TestStep{
			PreConfig: func() {
				if node, err = s.StartDataPlane(n, n, token); err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() {
					if t.Failed() {
						t.Log(node.Log())
						node.Stop()
					}
				})
			},
			Config:           asAdmin(t, readyWorld(n, folder)+ready("2m")),
			ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPostRefresh: empty},
		},
		// A cluster with processes cannot be deleted.
		resource.TestStep{
			PreConfig: func() {
				node.Stop()
				endProcesses(t, n)
			},
			Config: asAdmin(t, readyWorld(n, folder)),
		},
	)
}

func endProcesses(t *testing.T, cluster string) {
	t.Helper()
	at := client.Path("clusters", cluster, "processes")
	all, err := client.List[struct{ Name string }](t.Context(), behind(t), at, url.Values{})
	if err != nil {
		t.Fatal(err)
	}
	for _, process := range all {
		end(t, client.Path("clusters", cluster, "processes", process.Name))
	}
}
