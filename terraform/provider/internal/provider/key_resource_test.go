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

// idOf remembers the id of a key that Terraform made.
func idOf(id *string) resource.TestCheckFunc {
	return resource.TestCheckResourceAttrWith("kvstore_key.test", "id", func(value string) error {
		*id = value
		return nil
	})
}

func keyOf(t *testing.T, tenant, id string) client.Key {
	t.Helper()
	v, _, err := client.Get[client.Key](t.Context(), behind(t), client.Path("tenants", tenant, "keys", id))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// rotate has another key in the place of one, at once, as an admin does elsewhere.
func rotate(t *testing.T, tenant, id string) {
	t.Helper()
	at := client.Path("tenants", tenant, "keys", id, "rotate")
	if _, _, err := client.Post[client.Key](t.Context(), behind(t), at, map[string]int{"overlapSeconds": 0}, unique("once")); err != nil {
		t.Fatal(err)
	}
}

func keyConfig(n, body string) string {
	return fmt.Sprintf(`
resource "kvstore_tenant" "test" { name = %q }
resource "kvstore_key" "test" {
  tenant = kvstore_tenant.test.name
  %s
}
`, n, body)
}

// TestKeyThatHasEndedIsGone: what ended is planned anew, and the reason is told.
func TestKeyThatHasEndedIsGone(t *testing.T) {
	t.Parallel()
	past, future, other := "2026-01-01T00:00:00Z", "2999-01-01T00:00:00Z", "other"
	kind := newKeyResource().(*keyResource).kind
	for why, v := range map[string]client.Key{
		"ended at " + past:                   {ExpiresAt: &past},
		"was revoked at " + past:             {RevokedAt: &past, ExpiresAt: &future},
		"was rotated elsewhere, to " + other: {Successor: &other, ExpiresAt: &future},
	} {
		if !kind.isGone(v) || !strings.Contains(kind.farewell(v), why) {
			t.Errorf("%s: %t, %s", why, kind.isGone(v), kind.farewell(v))
		}
	}
	for _, v := range []client.Key{{}, {ExpiresAt: &future}} {
		if kind.isGone(v) {
			t.Errorf("%+v is gone", v)
		}
	}
}

// TestAccKey: the provider makes the secret; label and end change in place.
func TestAccKey(t *testing.T) {
	t.Parallel()
	controlPlane(t)
	n := unique("key")
	var id string
	play(t,
		resource.TestStep{
			Config: asAdmin(t, keyConfig(n, `label = "writer"`)),
			Check: resource.ComposeAggregateTestCheckFunc(idOf(&id),
				resource.TestMatchResourceAttr("kvstore_key.test", "key", regexp.MustCompile(`^kv_[a-z0-9]{20}_[A-Za-z0-9_-]{43}$`)),
				resource.TestCheckNoResourceAttr("kvstore_key.test", "previous_id")),
			ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPostRefresh: empty},
		},
		resource.TestStep{
			Config: asAdmin(t, keyConfig(n, `label = "reader"
  expires_at = "2031-01-01T00:00:00Z"`)),
			Check: attributesOf("kvstore_key.test", map[string]string{"label": "reader", "expires_at": "2031-01-01T00:00:00Z"}),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction("kvstore_key.test", plancheck.ResourceActionUpdate),
			}},
		},
		resource.TestStep{
			ResourceName: "kvstore_key.test", ImportState: true, ImportStateVerify: true,
			ImportStateIdFunc:       func(*terraform.State) (string, error) { return n + "/" + id, nil },
			ImportStateVerifyIgnore: []string{"secret", "key"},
		},
		// Changed behind Terraform's back.
		resource.TestStep{
			PreConfig: func() {
				put(t, client.Path("tenants", n, "keys", id), client.KeySpec{Label: "elsewhere"})
			},
			Config: asAdmin(t, keyConfig(n, `label = "reader"`)),
			Check:  attributesOf("kvstore_key.test", map[string]string{"label": "reader"}),
		},
		// Revoked behind Terraform's back.
		resource.TestStep{
			PreConfig: func() { end(t, client.Path("tenants", n, "keys", id)) },
			Config:    asAdmin(t, keyConfig(n, `label = "reader"`)),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction("kvstore_key.test", plancheck.ResourceActionCreate),
			}},
			Check: idOf(&id),
		},
		// Rotated behind Terraform's back.
		resource.TestStep{
			PreConfig: func() { rotate(t, n, id) },
			Config:    asAdmin(t, keyConfig(n, `label = "reader"`)),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction("kvstore_key.test", plancheck.ResourceActionCreate),
			}},
			Check: idOf(&id),
		},
		// Changed between plan and apply.
		resource.TestStep{
			Config: asAdmin(t, keyConfig(n, `label = "third"`)),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{acting(func() {
				put(t, client.Path("tenants", n, "keys", id), client.KeySpec{Label: "elsewhere"})
			})}},
			ExpectError: regexp.MustCompile(`has changed meanwhile`),
		},
		resource.TestStep{Config: asAdmin(t, keyConfig(n, `label = "third"`))},
		// Destroyed: revoked.
		resource.TestStep{
			Config: asAdmin(t, fmt.Sprintf("resource \"kvstore_tenant\" \"test\" { name = %q }", n)),
			Check: func(*terraform.State) error {
				if keyOf(t, n, id).RevokedAt == nil {
					return fmt.Errorf("the key %s is not revoked", id)
				}
				return nil
			},
		},
	)
}
