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
  name = "state-warming-one"
}

resource "kvstore_region" "two" {
  name = "state-warming-two"
}

resource "kvstore_cluster" "one" {
  name   = kvstore_region.one.name
  region = kvstore_region.one.name
  state  = "active"
}

resource "kvstore_cluster" "two" {
  name   = kvstore_region.two.name
  region = kvstore_region.two.name
  state  = "active"
}

resource "kvstore_join_token" "one" {
  cluster           = kvstore_cluster.one.name
  secret_wo         = var.secret
  secret_wo_version = 1
}

resource "kvstore_join_token" "two" {
  cluster           = kvstore_cluster.two.name
  secret_wo         = var.secret
  secret_wo_version = 1
}

resource "kvstore_tenant" "owner" {
  name = "state-warming"
}

resource "kvstore_account" "test" {
  name                = "state-warming"
  tenant              = kvstore_tenant.owner.name
  deletion_protection = false
  home_region         = kvstore_region.one.name
  replicas = {
    (kvstore_region.one.name) = {
      endpoint = "file:///FOLDER/one"
      vouched  = true
    }
    (kvstore_region.two.name) = {
      endpoint = "file:///FOLDER/two"
      vouched  = true
    }
  }
}
