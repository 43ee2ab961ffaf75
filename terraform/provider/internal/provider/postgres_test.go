package provider

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"kvstore.dev/terraform-provider-kvstore/internal/acctest"
	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

// TestAccPostgresRestarts: an apply that meets a database that is away waits for it, and does everything once. It has a control
// plane of its own.
func TestAccPostgresRestarts(t *testing.T) {
	t.Parallel()
	controlPlane(t)
	s, err := acctest.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	config := strings.ReplaceAll(asAdmin(t, `
resource "kvstore_tenant" "test" {
  count        = 20
  name         = "tenant-${count.index}"
  display_name = "changed"
}
resource "kvstore_key" "test" {
  count  = 20
  tenant = kvstore_tenant.test[count.index].name
}
`), controlPlane(t).URL, s.URL)
	config = strings.ReplaceAll(config, controlPlane(t).Token, s.Token)
	again := make(chan error, 1)
	play(t, resource.TestStep{
		Config: config,
		ConfigPlanChecks: resource.ConfigPlanChecks{
			PreApply: []plancheck.PlanCheck{acting(func() {
				start, err := s.StopPostgres()
				if err != nil {
					t.Error(err)
					return
				}
				go func() {
					time.Sleep(3 * time.Second) // The apply begins meanwhile.
					again <- start()
				}()
			})},
			PostApplyPostRefresh: empty,
		},
		Check: func(*terraform.State) error {
			if err := <-again; err != nil {
				return err
			}
			c, err := client.New(client.Options{Endpoint: s.URL, Token: s.Token, MaxRetries: 10})
			if err != nil {
				return err
			}
			for i := range 20 {
				keys, err := client.List[client.Key](t.Context(), c, client.Path("tenants", fmt.Sprintf("tenant-%d", i), "keys"), nil)
				if err != nil || len(keys) != 1 {
					return fmt.Errorf("tenant-%d has %d keys: %w", i, len(keys), err)
				}
			}
			return nil
		},
	})
}
