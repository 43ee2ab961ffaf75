package provider

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

func tokenConfig(n, body string) string {
	return fmt.Sprintf(`
resource "kvstore_region" "test" { name = %[1]q }
resource "kvstore_cluster" "test" {
  name   = %[1]q
  region = kvstore_region.test.name
}
resource "kvstore_join_token" "test" {
  cluster = kvstore_cluster.test.name
  label   = "for the test"
  %[2]s
}
`, n, body)
}

// chosenToken is a join token with a secret that only this run's variables have.
func chosenToken(n, version string) string {
	return tokenConfig(n, `secret_wo         = var.secret
  secret_wo_version = `+version) + `
variable "secret" {
  type      = string
  ephemeral = true
}
`
}

// withChosen is chosenToken, and the secret.
func withChosen(n, secret, version string) string {
	return strings.Replace(chosenToken(n, version), "type      = string",
		fmt.Sprintf("type      = string\n  default   = %q", secret), 1)
}

func tokenAction(action plancheck.ResourceActionType) resource.ConfigPlanChecks {
	return resource.ConfigPlanChecks{
		PreApply:             []plancheck.PlanCheck{plancheck.ExpectResourceAction("kvstore_join_token.test", action)},
		PostApplyPostRefresh: empty,
	}
}

func tokensOf(t *testing.T, cluster string) []string {
	t.Helper()
	all, err := client.List[client.JoinToken](t.Context(), behind(t), client.Path("clusters", cluster, "join-tokens"), nil)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, token := range all {
		ids = append(ids, token.ID)
	}
	return ids
}

// TestAccJoinTokenWithASecretOfOnesOwn: the state has no token, only another version replaces it, and the answer to its creation may
// be lost.
func TestAccJoinTokenWithASecretOfOnesOwn(t *testing.T) {
	t.Parallel()
	s := controlPlane(t)
	n := unique("token")
	first, second := client.NewSecret(), client.NewSecret()
	lost := 0
	url := between(t, losesFirst("POST", &lost))
	config := func(secret, version string) string {
		return strings.ReplaceAll(asAdmin(t, withChosen(n, secret, version)), s.URL, url)
	}
	var old, id string
	play(t,
		resource.TestStep{
			Config: config(first, "1"),
			Check: resource.ComposeAggregateTestCheckFunc(valueOf("kvstore_join_token.test", "id", &old),
				resource.TestCheckNoResourceAttr("kvstore_join_token.test", "token"),
				resource.TestCheckNoResourceAttr("kvstore_join_token.test", "secret_wo")),
			ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPostRefresh: empty},
		},
		// Another value under the same version is no change.
		resource.TestStep{Config: config(second, "1"), ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: empty}},
		resource.TestStep{
			Config:           config(second, "2"),
			ConfigPlanChecks: tokenAction(plancheck.ResourceActionReplace),
			Check: resource.ComposeAggregateTestCheckFunc(valueOf("kvstore_join_token.test", "id", &id),
				func(*terraform.State) error {
					if now := tokensOf(t, n); old == id || len(now) != 1 || now[0] != id {
						return fmt.Errorf("%s is replaced by %s, and there are %v", old, id, now)
					}
					return nil
				}),
		},
		resource.TestStep{
			ResourceName: "kvstore_join_token.test", ImportState: true, ImportStateVerify: true,
			ImportStateIdFunc:       func(*terraform.State) (string, error) { return n + "/" + id, nil },
			ImportStateVerifyIgnore: []string{"secret_wo_version"},
		},
		// Without a version the control plane makes the secret again.
		resource.TestStep{
			Config:           asAdmin(t, tokenConfig(n, "")),
			ConfigPlanChecks: tokenAction(plancheck.ResourceActionReplace),
			Check: resource.TestMatchResourceAttr("kvstore_join_token.test", "token",
				regexp.MustCompile(`^kvj_[a-z0-9]{12}_[A-Za-z0-9_-]{43}$`)),
		},
	)
	if lost != 2 {
		t.Errorf("%d answers were lost", lost)
	}
}

// TestAccFirstVersionLeavesAJoinToken: a token that data planes have is not revoked because its secret is to leave the state.
func TestAccFirstVersionLeavesAJoinToken(t *testing.T) {
	t.Parallel()
	controlPlane(t)
	n := unique("token")
	var id string
	play(t,
		resource.TestStep{
			Config: asAdmin(t, tokenConfig(n, "")),
			Check:  valueOf("kvstore_join_token.test", "id", &id),
		},
		resource.TestStep{
			Config:           asAdmin(t, withChosen(n, client.NewSecret(), "1")),
			ConfigPlanChecks: tokenAction(plancheck.ResourceActionUpdate),
			Check: resource.ComposeAggregateTestCheckFunc(
				resource.TestCheckResourceAttrPtr("kvstore_join_token.test", "id", &id),
				resource.TestCheckResourceAttr("kvstore_join_token.test", "secret_wo_version", "1"),
				resource.TestCheckNoResourceAttr("kvstore_join_token.test", "token")),
		},
		resource.TestStep{
			Config:           asAdmin(t, withChosen(n, client.NewSecret(), "2")),
			ConfigPlanChecks: tokenAction(plancheck.ResourceActionReplace),
		},
	)
}

// TestAccJoinTokenSecretsThatAreRefused: a bad secret makes nothing, also one that is known at apply alone, and is not quoted.
func TestAccJoinTokenSecretsThatAreRefused(t *testing.T) {
	t.Parallel()
	controlPlane(t)
	n := unique("token")
	play(t,
		resource.TestStep{
			Config:      asAdmin(t, tokenConfig(n, `secret_wo = "0123456789012345678901234567890123456789012"`)),
			ExpectError: regexp.MustCompile(`secret_wo_version`),
		},
		resource.TestStep{
			Config:      asAdmin(t, withChosen(n, "hunter2", "1")),
			ExpectError: regexp.MustCompile(`43 to 128`),
		},
		resource.TestStep{
			Config: asAdmin(t, strings.Replace(withChosen(n, client.NewSecret(), "1"), "var.secret",
				"terraform_data.short.output", 1)+"\nresource \"terraform_data\" \"short\" { input = \"hunter2\" }\n"),
			ExpectError: regexp.MustCompile(`43 to 128`),
		},
	)
}
