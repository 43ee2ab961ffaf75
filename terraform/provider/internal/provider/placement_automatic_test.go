package provider

import (
	"fmt"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"kvstore.dev/terraform-provider-kvstore/internal/acctest"
	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

// TestAccAutomaticPlacementIsAdopted: a placement that the platform chose is no obstacle for one that Terraform makes, which takes
// its place; when the platform has chosen again behind Terraform's back, Terraform makes its own again. The test runs beside no
// other: its data plane would try the storage of TestAccAccountReady.
func TestAccAutomaticPlacementIsAdopted(t *testing.T) {
	s := controlPlane(t)
	n := unique("auto")
	folder, err := s.Folder(n)
	if err != nil {
		t.Fatal(err)
	}
	var join, key string
	world := readyWorld(n, folder) + "resource \"kvstore_key\" \"test\" { tenant = kvstore_tenant.test.name }\n"
	placed := world + ready("2m") + fmt.Sprintf(`
resource "kvstore_placement" "test" {
  account = kvstore_account.test.name
  region  = %q
  cluster = kvstore_cluster.test.name
  pinned  = true
}
`, n)
	taken := resource.TestStep{
		Config: asAdmin(t, placed),
		Check: resource.ComposeAggregateTestCheckFunc(
			attributesOf("kvstore_placement.test", map[string]string{"cluster": n, "pinned": "true"}),
			func(*terraform.State) error {
				p, _, err := findPlacement(t.Context(), behind(t), n, n)
				if err == nil && (p.Automatic || !p.Pinned) {
					err = fmt.Errorf("the control plane has another placement: %+v", p)
				}
				return err
			}),
		ConfigPlanChecks: resource.ConfigPlanChecks{
			PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction("kvstore_placement.test", plancheck.ResourceActionCreate),
			},
			PostApplyPostRefresh: empty,
		},
	}
	again := taken
	taken.PreConfig = func() { awaitAutomatic(t, s, n, key) }
	again.PreConfig = func() {
		end(t, client.Path("accounts", n, "placements", n))
		awaitAutomatic(t, s, n, key)
	}
	var node *acctest.DataPlane
	play(t,
		resource.TestStep{
			Config: asAdmin(t, world),
			Check: resource.ComposeAggregateTestCheckFunc(
				valueOf("kvstore_join_token.test", "token", &join), valueOf("kvstore_key.test", "key", &key)),
		},
		resource.TestStep{
			PreConfig: func() { node = dataPlane(t, s, n, join) },
			Config:    asAdmin(t, world+ready("2m")),
		},
		taken, again,
		resource.TestStep{
			PreConfig: func() {
				node.Stop()
				endProcesses(t, n)
			},
			Config: asAdmin(t, world),
		},
	)
}

// awaitAutomatic asks for the account's route, as clients do, until the platform has placed it.
func awaitAutomatic(t *testing.T, s *acctest.Server, account, key string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if err := s.AskRoute(t.Context(), account, key); err != nil {
			t.Fatal(err)
		}
		if p, _, err := findPlacement(t.Context(), behind(t), account, account); err == nil && p.Automatic {
			return
		}
	}
	t.Fatal("the platform has not placed the account")
}
