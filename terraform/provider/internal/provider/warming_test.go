package provider

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"kvstore.dev/terraform-provider-kvstore/internal/acctest"
	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

const warmingAddress = "kvstore_warming.test"

// warmingWorld is two regions, each with an active cluster, and an account with a replica in both. The join tokens are known in
// advance but for their ids: their secret is this one.
func warmingWorld(n, folder, secret string) string {
	body := ""
	for _, k := range []string{"1", "2"} {
		body += fmt.Sprintf(`
resource "kvstore_region" "test%[1]s" { name = "%[2]s-%[1]s" }
resource "kvstore_cluster" "test%[1]s" {
  name   = "%[2]s-%[1]s"
  region = kvstore_region.test%[1]s.name
  state  = "active"
}
resource "kvstore_join_token" "test%[1]s" {
  cluster           = kvstore_cluster.test%[1]s.name
  secret_wo         = %[3]q
  secret_wo_version = 1
}
`, k, n, secret)
	}
	return body + fmt.Sprintf(`
resource "kvstore_tenant" "test" { name = %[1]q }
resource "kvstore_account" "test" {
  name                = %[1]q
  tenant              = kvstore_tenant.test.name
  home_region         = "%[1]s-1"
  deletion_protection = false
  replicas = { for region in [kvstore_region.test1.name, kvstore_region.test2.name] : region => {
    endpoint = "file://%[2]s/${region}"
    vouched  = true
  } }
}
`, n, folder)
}

func warmed(n, body string) string {
	return ready("2m") + fmt.Sprintf(`
resource "kvstore_warming" "test" {
  account = kvstore_account_ready.test.account
  from    = "%[1]s-1"
  to      = "%[1]s-2"
  %[2]s
}
`, n, body)
}

func warmingOf(t *testing.T, id string) client.Warming {
	t.Helper()
	v, _, err := client.Get[client.Warming](t.Context(), behind(t), client.Path("warmings", id))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// order gives a warming an order behind Terraform's back.
func order(t *testing.T, id, word string) {
	t.Helper()
	if _, _, err := client.Post[client.Warming](t.Context(), behind(t), client.Path("warmings", id, word), struct{}{}, unique("once")); err != nil {
		t.Fatal(err)
	}
}

// open are the ids of an account's warmings that are not over.
func open(t *testing.T, account string) []string {
	t.Helper()
	all, err := client.List[client.Warming](t.Context(), behind(t), client.Path("warmings"), url.Values{"account": {account}})
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, w := range all {
		if !w.Over() {
			ids = append(ids, w.ID)
		}
	}
	return ids
}

// onlyOpen checks that one warming of the account goes on.
func onlyOpen(t *testing.T, account string, id *string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		if now := open(t, account); len(now) != 1 || now[0] != *id {
			return fmt.Errorf("%v go on, and Terraform has %s", now, *id)
		}
		return nil
	}
}

func warmingPlan(action plancheck.ResourceActionType) resource.ConfigPlanChecks {
	return resource.ConfigPlanChecks{
		PreApply:             []plancheck.PlanCheck{plancheck.ExpectResourceAction(warmingAddress, action)},
		PostApplyPostRefresh: empty,
	}
}

// serving starts a data plane in each of the clusters, whose regions have their names, and returns what ends them.
func serving(t *testing.T, s *acctest.Server, secret string, clusters ...string) func() {
	t.Helper()
	var nodes []*acctest.DataPlane
	for _, cluster := range clusters {
		for _, id := range tokensOf(t, cluster) {
			nodes = append(nodes, dataPlane(t, s, cluster, "kvj_"+id+"_"+secret))
		}
	}
	return func() {
		for _, node := range nodes {
			node.Stop()
		}
		for _, cluster := range clusters {
			endProcesses(t, cluster)
		}
	}
}

// TestAccWarming: the life of a standing warming. The answer to each creation and each cancellation is lost once, and no warming is
// made twice.
func TestAccWarming(t *testing.T) {
	t.Parallel()
	s := controlPlane(t)
	n := unique("warm")
	folder, err := s.Folder(n)
	if err != nil {
		t.Fatal(err)
	}
	lost := 0
	proxy := between(t, losesFirst("POST", &lost))
	secret := client.NewSecret()
	config := func(body string) string {
		return strings.ReplaceAll(asAdmin(t, warmingWorld(n, folder, secret)+body), s.URL, proxy)
	}
	var id, old, once string
	used := warmed(n, "select = { used = true }\n  every_seconds = 10")
	cancelled := func(which *string) resource.TestCheckFunc {
		return func(*terraform.State) error {
			if v := warmingOf(t, *which); v.State != "cancelled" {
				return fmt.Errorf("%s is %s", v.ID, v.State)
			}
			return nil
		}
	}
	stop := func() {}
	play(t,
		resource.TestStep{Config: config("")},
		resource.TestStep{
			PreConfig: func() { stop = serving(t, s, secret, n+"-1", n+"-2") },
			Config:    config(used),
			Check: resource.ComposeAggregateTestCheckFunc(valueOf(warmingAddress, "id", &id), onlyOpen(t, n, &id),
				attributesOf(warmingAddress, map[string]string{
					"account": n, "from": n + "-1", "to": n + "-2", "select.used": "true", "every_seconds": "10",
					"bytes_per_second": "100000000", "requests_per_second": "2000", "preheat": "storage",
				})),
			ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPostRefresh: empty},
		},
		resource.TestStep{
			ResourceName: warmingAddress, ImportState: true, ImportStateVerify: true,
			// It goes on meanwhile.
			ImportStateVerifyIgnore: []string{"state"},
		},
		// A pause is an act of an admin, and no drift.
		resource.TestStep{
			PreConfig:        func() { order(t, id, "pause") },
			Config:           config(used),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: empty, PostApplyPostRefresh: empty},
			Check:            resource.TestCheckResourceAttr(warmingAddress, "state", "paused"),
		},
		resource.TestStep{
			PreConfig: func() { old = id },
			Config: config(warmed(n, `select = {
    stored_since = "2026-01-01T01:00:00+01:00"
    partition    = "model/1"
    block_tokens = 64
  }
  every_seconds       = 3600
  bytes_per_second    = 1000000
  requests_per_second = 10
  preheat             = "memory"`)),
			ConfigPlanChecks: warmingPlan(plancheck.ResourceActionReplace),
			Check: resource.ComposeAggregateTestCheckFunc(valueOf(warmingAddress, "id", &id), onlyOpen(t, n, &id), cancelled(&old),
				attributesOf(warmingAddress, map[string]string{
					"select.stored_since": "2026-01-01T01:00:00+01:00", "select.partition": "model/1", "select.block_tokens": "64",
					"every_seconds": "3600", "bytes_per_second": "1000000", "requests_per_second": "10", "preheat": "memory",
				})),
		},
		// Cancelled behind Terraform's back: it has left the state, and another is made.
		resource.TestStep{
			PreConfig:        func() { order(t, id, "cancel") },
			Config:           config(warmed(n, "select = { hottest_bytes = 1000000000 }\n  every_seconds = 600")),
			ConfigPlanChecks: warmingPlan(plancheck.ResourceActionCreate),
			Check:            resource.ComposeAggregateTestCheckFunc(valueOf(warmingAddress, "id", &id), onlyOpen(t, n, &id)),
		},
		// What the control plane refuses is told at the argument.
		resource.TestStep{
			Config:      config(strings.Replace(warmed(n, "select = { all = true }\n  every_seconds = 3600"), n+"-2\"", "elsewhere\"", 1)),
			ExpectError: regexp.MustCompile(`to must be a region that is registered`),
		},
		resource.TestStep{
			Config: config(warmed(n, "select = { partition = \"model/1\" }\n  every_seconds = 86400")),
			Check:  resource.ComposeAggregateTestCheckFunc(valueOf(warmingAddress, "id", &id), onlyOpen(t, n, &id)),
		},
		// A warming that is done once is none of Terraform's.
		resource.TestStep{
			PreConfig: func() {
				everything := true
				one := client.WarmingSpec{ResourceName: n, From: n + "-1", To: n + "-2", Select: client.Selection{All: &everything}}
				v, _, err := client.Post[client.Warming](t.Context(), behind(t), client.Path("warmings"), one, unique("once"))
				if err != nil {
					t.Fatal(err)
				}
				once = v.ID
			},
			ResourceName: warmingAddress, ImportState: true,
			ImportStateIdFunc: func(*terraform.State) (string, error) { return once, nil },
			ExpectError:       regexp.MustCompile(`is no standing one`),
		},
		// Taken out of the configuration, it is cancelled. A cluster with processes cannot be deleted.
		resource.TestStep{
			PreConfig: func() { old, stop = id, stopping(stop) },
			Config:    config(""),
			Check:     cancelled(&old),
		},
	)
	if lost < 10 {
		t.Errorf("only %d answers were lost", lost)
	}
}

// stopping ends what is to be ended, once.
func stopping(stop func()) func() {
	stop()
	return func() {}
}

// TestWarmingThatIsOverIsGone: what never goes on is planned anew, and the reason is told. A standing one that waits is there.
func TestWarmingThatIsOverIsGone(t *testing.T) {
	t.Parallel()
	kind := newWarmingResource().(*warmingResource).kind
	flaw := "the replica was taken from the account"
	for _, state := range []string{"done", "partial", "cancelled", "failed"} {
		v := client.Warming{State: state, Flaw: &flaw}
		if !kind.isGone(v) || !strings.Contains(kind.farewell(v), state) || !strings.Contains(kind.farewell(v), flaw) {
			t.Errorf("%s: %t, %s", state, kind.isGone(v), kind.farewell(v))
		}
	}
	for _, state := range []string{"planning", "running", "waiting", "paused"} {
		if kind.isGone(client.Warming{State: state, Flaw: &flaw}) {
			t.Errorf("%s is gone", state)
		}
	}
}

// TestAccWarmingsThatAreRefused: what the control plane would refuse is told by the plan.
func TestAccWarmingsThatAreRefused(t *testing.T) {
	t.Parallel()
	controlPlane(t)
	refused := func(message, body string) resource.TestStep {
		return resource.TestStep{
			PlanOnly:    true,
			Config:      asAdmin(t, "resource \"kvstore_warming\" \"test\" {\n  account = \"a\"\n  from = \"eu-1\"\n"+body+"\n}\n"),
			ExpectError: regexp.MustCompile(message),
		}
	}
	play(t,
		refused("another region", "to = \"eu-1\"\n  select = { used = true }\n  every_seconds = 10"),
		refused("exactly one of", "to = \"us-1\"\n  select = {}\n  every_seconds = 10"),
		refused("exactly one of", "to = \"us-1\"\n  select = {\n    used = true\n    all = true\n  }\n  every_seconds = 86400"),
		refused("must be \"true\"", "to = \"us-1\"\n  select = { used = false }\n  every_seconds = 10"),
		refused("partition", "to = \"us-1\"\n  select = {\n    used = true\n    block_tokens = 64\n  }\n  every_seconds = 10"),
		refused("3600 or more", "to = \"us-1\"\n  select = { all = true }\n  every_seconds = 600"),
		refused("3600 or more", "to = \"us-1\"\n  select = { partition = \"model/1\" }\n  every_seconds = 600"),
		refused("at least|between", "to = \"us-1\"\n  select = { used = true }\n  every_seconds = 9"),
		refused("one of: storage, disk, memory", "to = \"us-1\"\n  select = { used = true }\n  every_seconds = 10\n  preheat = \"gpu\""),
	)
}
