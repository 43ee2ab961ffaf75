package provider

import (
	"fmt"
	"net/url"
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

// TestAccToken: a token works in the run that made it, and every token is revoked when its run ends.
func TestAccToken(t *testing.T) {
	t.Parallel()
	controlPlane(t)
	n := unique("token")
	put(t, client.Path("tenants", n), client.TenantSpec{})
	play(t, resource.TestStep{
		Config: asAdmin(t, fmt.Sprintf(`
ephemeral "kvstore_token" "test" {
  tenant     = %q
  expires_in = "2m"
}
provider "echo" { data = ephemeral.kvstore_token.test }
resource "echo" "test" {}
`, n)),
		Check: resource.ComposeAggregateTestCheckFunc(
			resource.TestMatchResourceAttr("echo.test", "data.token", regexp.MustCompile(`^kv_[a-z0-9]{20}_[A-Za-z0-9_-]{43}$`)),
			func(*terraform.State) error {
				all, err := client.List[client.Key](t.Context(), behind(t), client.Path("tenants", n, "keys"), url.Values{})
				if err != nil || len(all) == 0 {
					return fmt.Errorf("no token was made: %w", err)
				}
				for _, key := range all {
					if key.RevokedAt == nil || key.ExpiresAt == nil || key.Label != "terraform" {
						return fmt.Errorf("not revoked: %+v", key)
					}
				}
				return nil
			},
		),
	})
	end(t, client.Path("tenants", n))
}
