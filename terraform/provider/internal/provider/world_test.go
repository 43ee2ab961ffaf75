package provider

import "fmt"

// world is two regions, each with a cluster, and two tenants, whose names begin with n.
func world(n string) string {
	return fmt.Sprintf(`
resource "kvstore_region" "one" { name = "%[1]s-1" }
resource "kvstore_region" "two" { name = "%[1]s-2" }
resource "kvstore_cluster" "one" {
  name   = "%[1]s-1"
  region = kvstore_region.one.name
}
resource "kvstore_cluster" "two" {
  name   = "%[1]s-2"
  region = kvstore_region.one.name
}
resource "kvstore_tenant" "owner" { name = "%[1]s-owner" }
resource "kvstore_tenant" "guest" { name = "%[1]s-guest" }
`, n)
}

// account is an account of the owner with one replica.
func account(n, more string) string {
	return fmt.Sprintf(`
resource "kvstore_account" "test" {
  name                = %[1]q
  tenant              = kvstore_tenant.owner.name
  deletion_protection = false
  replicas = {
    (kvstore_region.one.name) = {
      endpoint   = "https://%[1]s.blob.core.windows.net"
      container  = "blocks"
      credential = "managed-identity"
    }
  }
%[2]s}
`, n, more)
}
