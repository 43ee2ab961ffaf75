package provider

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

// secretKey is a key with a secret that only this run's variables have.
func secretKey(n, version, overlap string) string {
	return keyConfig(n, fmt.Sprintf(`label = "writer"
  secret_wo         = var.secret
  secret_wo_version = %s
  rotation_overlap  = %q`, version, overlap)) + `
variable "secret" {
  type      = string
  ephemeral = true
}
`
}

// withSecret is secretKey, and the secret.
func withSecret(n, secret, version, overlap string) string {
	return strings.Replace(secretKey(n, version, overlap), "type      = string",
		fmt.Sprintf("type      = string\n  default   = %q", secret), 1)
}

// TestAccKeyRotation: only the version rotates; the key before goes on for the overlap, and ends with the new one.
func TestAccKeyRotation(t *testing.T) {
	t.Parallel()
	controlPlane(t)
	n := unique("key")
	first, second := client.NewSecret(), client.NewSecret()
	var old, current string
	config := func(secret, version, overlap string) string {
		return asAdmin(t, withSecret(n, secret, version, overlap))
	}
	play(t,
		resource.TestStep{
			Config: config(first, "1", "1h"),
			Check: resource.ComposeAggregateTestCheckFunc(idOf(&old),
				resource.TestCheckNoResourceAttr("kvstore_key.test", "secret"),
				resource.TestCheckNoResourceAttr("kvstore_key.test", "secret_wo"),
				resource.TestCheckNoResourceAttr("kvstore_key.test", "key")),
		},
		// Another value under the same version is no change.
		resource.TestStep{Config: config(second, "1", "1h"), ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: empty}},
		resource.TestStep{
			Config: config(second, "2", "1h"),
			Check: resource.ComposeAggregateTestCheckFunc(idOf(&current), func(*terraform.State) error {
				before := keyOf(t, n, old)
				if old == current || before.RevokedAt != nil || before.ExpiresAt == nil {
					return fmt.Errorf("%s is rotated to %s: %+v", old, current, before)
				}
				end, err := time.Parse(time.RFC3339, *before.ExpiresAt)
				if err != nil || time.Until(end) > time.Hour || time.Until(end) < 50*time.Minute {
					return fmt.Errorf("the overlap ends at %v: %v", end, err)
				}
				return nil
			}, resource.TestCheckResourceAttrPtr("kvstore_key.test", "previous_id", &old)),
			ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPostRefresh: empty},
		},
		// Without an overlap the key before is revoked.
		resource.TestStep{
			Config: config(first, "3", "0s"),
			Check: func(*terraform.State) error {
				if keyOf(t, n, current).RevokedAt == nil || keyOf(t, n, old).RevokedAt != nil {
					return fmt.Errorf("another key than %s is revoked", current)
				}
				return nil
			},
		},
		resource.TestStep{
			Config: asAdmin(t, fmt.Sprintf("resource \"kvstore_tenant\" \"test\" { name = %q }", n)),
			Check: func(*terraform.State) error {
				all, err := client.List[client.Key](t.Context(), behind(t), client.Path("tenants", n, "keys"), nil)
				for _, key := range all {
					if key.RevokedAt == nil {
						return fmt.Errorf("the key %s is not revoked", key.ID)
					}
				}
				return err
			},
		},
	)
}

// TestAccKeyBeforeEndsInTheEnd: a rotation whose second half fails keeps the new key, and the next apply ends the one before.
func TestAccKeyBeforeEndsInTheEnd(t *testing.T) {
	t.Parallel()
	s := controlPlane(t)
	n := unique("key")
	var old string
	var away atomic.Bool
	url := between(t, func(r *http.Request) fate {
		if away.Load() && r.Method == http.MethodPut && strings.HasSuffix(r.URL.Path, "/keys/"+old) {
			return refuses
		}
		return passes
	})
	config := func(version string) string {
		return strings.ReplaceAll(asAdmin(t, withSecret(n, client.NewSecret(), version, "1h")), s.URL, url)
	}
	play(t,
		resource.TestStep{Config: config("1"), Check: idOf(&old)},
		resource.TestStep{
			PreConfig:   func() { away.Store(true) },
			Config:      config("2"),
			ExpectError: regexp.MustCompile(`is still good`),
		},
		resource.TestStep{
			PreConfig: func() { away.Store(false) },
			Config:    config("2"),
			Check: resource.ComposeAggregateTestCheckFunc(
				resource.TestCheckResourceAttrPtr("kvstore_key.test", "previous_id", &old),
				func(*terraform.State) error {
					if keyOf(t, n, old).ExpiresAt == nil {
						return fmt.Errorf("the key before goes on for ever")
					}
					return nil
				}),
			ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPostRefresh: empty},
		},
	)
}

// TestAccImportedKeyIsNotRotated: the first version after an import names the secret that the key has.
func TestAccImportedKeyIsNotRotated(t *testing.T) {
	t.Parallel()
	controlPlane(t)
	n, id, secret := unique("key"), client.NewID(), client.NewSecret()
	put(t, client.Path("tenants", n), client.TenantSpec{})
	put(t, client.Path("tenants", n, "keys", id), client.KeySpec{Label: "writer", SHA256: client.Hash(client.KeyText(id, secret))})
	imports := fmt.Sprintf(`
import {
  to = kvstore_tenant.test
  id = %[1]q
}
import {
  to = kvstore_key.test
  id = "%[1]s/%[2]s"
}
`, n, id)
	play(t, resource.TestStep{
		Config:           asAdmin(t, withSecret(n, secret, "7", "1h")+imports),
		Check:            attributesOf("kvstore_key.test", map[string]string{"id": id, "secret_wo_version": "7"}),
		ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPostRefresh: empty},
	})
}
