package provider

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

func accountJourney(*testing.T) journey {
	n := unique("account")
	path := client.Path("accounts", n)
	spec := client.AccountSpec{
		Tenant: n + "-owner", AllowedRegions: []string{}, AvoidedRegions: []string{n + "-2"},
		Replicas: []client.ReplicaSpec{{
			Region: n + "-1", Endpoint: "https://elsewhere" + n[len(n)-8:] + ".blob.core.windows.net", Container: "others", Credential: "managed-identity",
		}},
	}
	return journey{
		address: "kvstore_account.test",
		create:  world(n) + account(n, ""),
		created: map[string]string{
			"home_region": n + "-1", "replicas.%": "1", "proofs.%": "1", "home_region_policy": "initial",
			"replicas." + n + "-1.container": "blocks", "replicas." + n + "-1.vouched": "false",
		},
		update: world(n) + fmt.Sprintf(`
resource "kvstore_account" "test" {
  name                = %[1]q
  tenant              = kvstore_tenant.owner.name
  home_region         = kvstore_region.one.name
  allowed_regions     = [kvstore_region.one.name, kvstore_region.two.name]
  max_offline_seconds = 600
  deletion_protection = false
  read_through        = { from = kvstore_region.one.name }
  replicas = {
    (kvstore_region.one.name) = {
      endpoint   = "HTTPS://%[1]s.blob.core.windows.net/"
      container  = "blocks"
      credential = "keyvault:https://vault.vault.azure.net/secrets/sas"
    }
    (kvstore_region.two.name) = {
      endpoint         = "https://%[1]s-two.blob.core.windows.net"
      container        = "blocks"
      credential       = "env:SAS"
      vouched          = true
    }
  }
}`, n),
		updated: map[string]string{
			"replicas.%": "2", "proofs.%": "1", "allowed_regions.#": "2", "max_offline_seconds": "600",
			"read_through.within_millis": "500", "replicas." + n + "-2.vouched": "true",
		},
		unknown: world(n) + fmt.Sprintf(`
resource "terraform_data" "known_later" { input = { tenant = kvstore_tenant.owner.name, container = "blocks", vouched = false } }
resource "kvstore_account" "test" {
  name                = %[1]q
  tenant              = terraform_data.known_later.output.tenant
  deletion_protection = false
  replicas = {
    "%[1]s-1" = {
      endpoint   = "https://%[1]s.blob.core.windows.net"
      container  = terraform_data.known_later.output.container
      credential = "managed-identity"
      vouched    = terraform_data.known_later.output.vouched
    }
  }
}`, n),
		importID: n, found: "name", unread: []string{"deletion_protection"},
		drift: func(t *testing.T) { put(t, path, spec) },
		end:   func(t *testing.T) { end(t, path) },
	}
}

func TestAccAccount(t *testing.T) {
	run(t, accountJourney)
}

func TestAccAccountIsProtected(t *testing.T) {
	t.Parallel()
	n := unique("account")
	open := world(n) + account(n, "")
	protected := regexp.MustCompile(`deletion_protection = false`).ReplaceAllString(open, "")
	renamed := world(n) + regexp.MustCompile(`name += "[^"]+"`).ReplaceAllString(
		regexp.MustCompile(`(?s).*(resource "kvstore_account".*)`).ReplaceAllString(protected, "$1"), `name = "another-`+n+`"`)
	refusal := regexp.MustCompile(`is protected`)
	controlPlane(t)
	play(t,
		resource.TestStep{Config: asAdmin(t, regexp.MustCompile(`deletion_protection += false`).ReplaceAllString(open, ""))},
		resource.TestStep{Config: asAdmin(t, world(n)), PlanOnly: true, ExpectError: refusal},
		resource.TestStep{Config: asAdmin(t, regexp.MustCompile(`deletion_protection += false`).ReplaceAllString(renamed, "")), PlanOnly: true, ExpectError: refusal},
		resource.TestStep{Config: asAdmin(t, open)},
		resource.TestStep{Config: asAdmin(t, world(n))},
	)
}

func TestAccAccountCannotChangeItsTenant(t *testing.T) {
	t.Parallel()
	controlPlane(t)
	n := unique("account")
	play(t,
		resource.TestStep{Config: asAdmin(t, world(n)+account(n, ""))},
		resource.TestStep{
			Config:      asAdmin(t, world(n)+regexp.MustCompile(`kvstore_tenant.owner.name`).ReplaceAllString(account(n, ""), "kvstore_tenant.guest.name")),
			ExpectError: regexp.MustCompile(`tenant cannot change`),
		},
	)
}

// TestAccAccountFailover: a failover between two applies stays, with the regions that it avoids.
func TestAccAccountFailover(t *testing.T) {
	t.Parallel()
	controlPlane(t)
	n := unique("account")
	config := func(policy string) string {
		return asAdmin(t, world(n)+fmt.Sprintf(`
resource "kvstore_account" "test" {
  name                = %[1]q
  tenant              = kvstore_tenant.owner.name
  home_region         = kvstore_region.one.name
  avoided_regions     = [kvstore_region.two.name]
  home_region_policy  = %[2]q
  deletion_protection = false
  replicas = { for r in [kvstore_region.one.name, kvstore_region.two.name] : r => {
    endpoint   = "https://${r}.blob.core.windows.net"
    container  = "blocks"
    credential = "managed-identity"
  } }
}`, n, policy))
	}
	play(t,
		resource.TestStep{Config: config("initial")},
		resource.TestStep{
			PreConfig: func() {
				failOver(t, n)
			},
			Config:           config("initial"),
			Check:            attributesOf("kvstore_account.test", map[string]string{"home_region": n + "-2", "avoided_regions.0": n + "-1"}),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: empty},
		},
		resource.TestStep{
			Config: config("always"),
			Check:  attributesOf("kvstore_account.test", map[string]string{"home_region": n + "-1", "avoided_regions.0": n + "-2"}),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction("kvstore_account.test", plancheck.ResourceActionUpdate),
			}},
		},
	)
}

// TestAccAccountErrorsAreAtTheirAttribute: the service's word is shown at the line that it is about.
func TestAccAccountErrorsAreAtTheirAttribute(t *testing.T) {
	t.Parallel()
	controlPlane(t)
	n := unique("account")
	play(t, resource.TestStep{
		Config: asAdmin(t, world(n)+fmt.Sprintf(`
resource "kvstore_account" "test" {
  name     = %[1]q
  tenant   = kvstore_tenant.owner.name
  replicas = { "%[1]s-1" = {
    endpoint   = "https://not.allowed.example.com"
    container  = "blocks"
    credential = "managed-identity"
  } }
}`, n)),
		ExpectError: regexp.MustCompile(`(?s)replicas = \{.*"\]\.endpoint must\s+match\s+one\s+of\s+the\s+endpoints`),
	})
}

// failOver moves an account's home to its second region and avoids the first. The service's own verb wants storage that data
// planes have tried.
func failOver(t *testing.T, n string) {
	t.Helper()
	path := client.Path("accounts", n)
	account, _, err := client.Get[client.Account](t.Context(), behind(t), path)
	if err != nil {
		t.Fatal(err)
	}
	spec := client.AccountSpec{
		Tenant: account.Tenant, HomeRegion: n + "-2", AllowedRegions: []string{}, AvoidedRegions: []string{n + "-1"},
	}
	for _, r := range account.Replicas {
		spec.Replicas = append(spec.Replicas, client.ReplicaSpec{
			Region: r.Region, Endpoint: r.Endpoint, Container: *r.Container, Credential: *r.Credential,
		})
	}
	put(t, path, spec)
}
