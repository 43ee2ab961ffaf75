resource "kvstore_tenant" "this" {
  for_each = var.tenants

  name         = each.key
  display_name = each.value.display_name
  state        = each.value.state
}

resource "kvstore_account" "this" {
  for_each = var.accounts

  name                = each.key
  tenant              = try(kvstore_tenant.this[each.value.tenant].name, each.value.tenant)
  home_region         = each.value.home_region
  allowed_regions     = each.value.allowed_regions
  max_offline_seconds = each.value.max_offline_seconds
  read_through        = each.value.read_through
  deletion_protection = each.value.deletion_protection

  replicas = {
    for region, replica in each.value.replicas : region => {
      endpoint         = replica.endpoint
      container        = replica.container
      credential       = startswith(replica.endpoint, "https://") ? coalesce(replica.credential, "managed-identity") : replica.credential
      create_container = replica.create_container
      vouched          = replica.vouched
    }
  }

  # A replica is of a region, and a region with storage cannot be deleted.
  depends_on = [kvstore_region.this]
}

resource "kvstore_account_limits" "this" {
  for_each = { for name, account in var.accounts : name => account.limits if account.limits != null }

  account          = kvstore_account.this[each.key].name
  operations       = each.value.operations
  bytes_per_second = each.value.bytes_per_second
}

resource "kvstore_placement" "this" {
  for_each = local.placements

  account = kvstore_account.this[each.value.account].name
  region  = each.value.region
  cluster = try(kvstore_cluster.this[each.value.cluster].name, each.value.cluster)
  pinned  = each.value.pinned
}

resource "kvstore_account_ready" "this" {
  for_each = local.waited_for

  account  = kvstore_account.this[each.key].name
  triggers = { for region, replica in var.accounts[each.key].replicas : region => "${replica.endpoint}/${replica.container == null ? "" : replica.container}" }
  timeouts = { create = var.accounts[each.key].ready_timeout }
}

resource "kvstore_warming" "this" {
  for_each = var.warmings

  # A replica is copied from, and into, once data planes have found it good.
  account             = try(kvstore_account_ready.this[each.value.account].account, kvstore_account.this[each.value.account].name, each.value.account)
  from                = each.value.from
  to                  = each.value.to
  select              = each.value.select
  every_seconds       = each.value.every_seconds
  bytes_per_second    = each.value.bytes_per_second
  requests_per_second = each.value.requests_per_second
  preheat             = each.value.preheat
}

resource "kvstore_grant" "this" {
  for_each = var.grants

  account    = try(kvstore_account.this[split("/", each.key)[0]].name, split("/", each.key)[0])
  name       = split("/", each.key)[1]
  grantee    = try(kvstore_tenant.this[each.value.grantee].name, each.value.grantee)
  access     = each.value.access
  partition  = each.value.partition
  key_id     = each.value.key == null ? each.value.key_id : kvstore_key.this[each.value.key].id
  expires_at = each.value.expires_at
}

resource "kvstore_key" "this" {
  for_each = var.keys

  tenant            = try(kvstore_tenant.this[each.value.tenant].name, each.value.tenant)
  label             = coalesce(each.value.label, each.key)
  expires_at        = each.value.expires_at
  rotation_overlap  = each.value.rotation_overlap
  secret_wo         = lookup(var.key_secrets, each.key, null)
  secret_wo_version = each.value.secret_version
}
