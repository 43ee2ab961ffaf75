package provider

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// fullVariable runs what takes minutes, and what measures time.
const fullVariable = "TF_ACC_FULL"

func full(t *testing.T) {
	t.Helper()
	if os.Getenv(fullVariable) == "" {
		t.Skip("takes minutes: set " + fullVariable + "=1")
	}
}

// accounts are accounts of one tenant, with as many grants, limits and keys as parts says. Thousands of accounts have no parts:
// Terraform itself takes time that grows with the square of count where one list depends on another.
func accounts(n string, count, parts int) string {
	return fmt.Sprintf(`
resource "kvstore_region" "test" { name = %[1]q }
resource "kvstore_tenant" "owner" { name = "%[1]s-owner" }
resource "kvstore_tenant" "guest" { name = "%[1]s-guest" }
resource "kvstore_account" "test" {
  count               = %[2]d
  name                = "%[1]s-${count.index}"
  tenant              = kvstore_tenant.owner.name
  deletion_protection = false
  replicas = { (kvstore_region.test.name) = {
    endpoint   = "https://%[1]s-${count.index}.blob.core.windows.net"
    container  = "blocks"
    credential = "managed-identity"
  } }
}
resource "kvstore_grant" "test" {
  count      = %[3]d
  account    = "%[1]s-${count.index}"
  name       = "reader"
  grantee    = kvstore_tenant.guest.name
  access     = ["read"]
  depends_on = [kvstore_account.test]
}
resource "kvstore_account_limits" "test" {
  count      = %[3]d
  account    = "%[1]s-${count.index}"
  operations = 10
  depends_on = [kvstore_account.test]
}
resource "kvstore_key" "test" {
  count  = %[3]d
  tenant = kvstore_tenant.owner.name
}
`, n, count, parts)
}

// TestAccParallel: ten calls at a time on 200 resources make, change and delete them, and nothing fails. In a full run ten times.
func TestAccParallel(t *testing.T) {
	t.Parallel()
	s := controlPlane(t)
	rounds := 1
	if os.Getenv(fullVariable) != "" {
		rounds = 10
	}
	for round := range rounds {
		w := newWorkspace(t, s)
		n := unique("parallel")
		w.configure(t, accounts(n, 160, 16))
		apply := w.terraform(t, nil, "apply", "-auto-approve", "-parallelism=10")
		if !strings.Contains(apply, "211 added, 0 changed, 0 destroyed") {
			t.Fatalf("round %d: %s", round, last(apply))
		}
		// Each account is changed while its limits and grants are read.
		w.configure(t, strings.ReplaceAll(accounts(n, 160, 16), "operations = 10", "operations = 20"))
		w.terraform(t, nil, "apply", "-auto-approve", "-parallelism=10")
		if plan := w.terraform(t, nil, "plan"); !strings.Contains(plan, "No changes") {
			t.Fatalf("round %d: %s", round, plan)
		}
		w.terraform(t, nil, "destroy", "-auto-approve", "-parallelism=10")
	}
}

// TestAccThousands: on two processors that do nothing else, 2,000 accounts are applied in three minutes and planned in 30 s. The
// limits are of the processors' time, since other work on the machine only makes it take longer.
func TestAccThousands(t *testing.T) {
	full(t)
	s := controlPlane(t)
	w := newWorkspace(t, s)
	n := unique("many")
	timed := func(limit time.Duration, arguments ...string) string {
		began := time.Now()
		output := w.terraform(t, nil, arguments...)
		took := time.Since(began)
		t.Logf("terraform %v took %v, and %v of processors", arguments, took.Round(time.Second/10), w.cpu.Round(time.Second/10))
		if w.cpu/2 > limit {
			t.Errorf("terraform %v takes %v of two processors, not %v", arguments, w.cpu/2, limit)
		}
		return output
	}
	w.configure(t, accounts(n, 2000, 0))
	timed(30*time.Second, "plan", "-out=first")
	timed(3*time.Minute, "apply", "first")
	if plan := timed(30*time.Second, "plan"); !strings.Contains(plan, "No changes") {
		t.Error(last(plan))
	}
	timed(time.Hour, "destroy", "-auto-approve")
}

func last(output string) string {
	return output[max(0, len(output)-1000):]
}
