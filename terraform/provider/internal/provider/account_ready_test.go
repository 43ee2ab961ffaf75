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
			Config:           asAdmin(t, readyWorld(n, folder)),
			Check:            valueOf("kvstore_join_token.test", "token", &token),
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
			PreConfig:        func() { node = dataPlane(t, s, n, token) },
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

// valueOf remembers an attribute of the state.
func valueOf(address, name string, value *string) resource.TestCheckFunc {
	return resource.TestCheckResourceAttrWith(address, name, func(found string) error {
		*value = found
		return nil
	})
}

// dataPlane starts a data plane of a cluster and region of the same name.
func dataPlane(t *testing.T, s *acctest.Server, name, joinToken string) *acctest.DataPlane {
	t.Helper()
	node, err := s.StartDataPlane(name, name, joinToken)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(node.Log())
			node.Stop()
		}
	})
	return node
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
