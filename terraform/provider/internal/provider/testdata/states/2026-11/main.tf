terraform {
  required_providers {
    kvstore = { source = "kvstore.dev/kvstore/kvstore" }
  }
}

variable "secret" {
  type      = string
  ephemeral = true
}

resource "kvstore_region" "one" {
  name = "state-2026-11-one"
}

resource "kvstore_region" "two" {
  name         = "state-2026-11-two"
  display_name = "Two"
}

resource "kvstore_cluster" "one" {
  name   = "state-2026-11"
  region = kvstore_region.one.name
}

resource "kvstore_join_token" "one" {
  cluster    = kvstore_cluster.one.name
  label      = "state"
  expires_at = "2100-01-01T00:00:00Z"
}

resource "kvstore_round_trip" "test" {
  region = kvstore_region.one.name
  other  = kvstore_region.two.name
  micros = 1000
}

resource "kvstore_tenant" "owner" {
  name         = "state-2026-11-owner"
  display_name = "Owner"
}

resource "kvstore_tenant" "guest" {
  name = "state-2026-11-guest"
}

resource "kvstore_key" "given" {
  tenant            = kvstore_tenant.owner.name
  label             = "state"
  secret_wo         = var.secret
  secret_wo_version = 1
  rotation_overlap  = "1h"
}

resource "kvstore_account" "test" {
  name                = "state-2026-11"
  tenant              = kvstore_tenant.owner.name
  deletion_protection = false
  home_region         = kvstore_region.one.name
  replicas = {
    (kvstore_region.one.name) = {
      endpoint   = "https://statenovemberone.blob.core.windows.net"
      container  = "blocks"
      credential = "managed-identity"
    }
    (kvstore_region.two.name) = {
      endpoint   = "https://statenovembertwo.blob.core.windows.net"
      container  = "blocks"
      credential = "managed-identity"
    }
  }
}

resource "kvstore_account_limits" "test" {
  account    = kvstore_account.test.name
  operations = 10
}

resource "kvstore_grant" "test" {
  account = kvstore_account.test.name
  name    = "reader"
  grantee = kvstore_tenant.guest.name
  access  = ["read"]
}

resource "kvstore_placement" "test" {
  account = kvstore_account.test.name
  region  = kvstore_region.one.name
  cluster = kvstore_cluster.one.name
}
