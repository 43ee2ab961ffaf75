resource "kvstore_region" "this" {
  count = var.region == null ? 0 : 1

  name         = var.region.name
  display_name = var.region.display_name
}

resource "kvstore_round_trip" "this" {
  for_each = try(var.region.round_trips, {})

  region = kvstore_region.this[0].name
  other  = each.key
  micros = each.value
}

resource "kvstore_cluster" "this" {
  for_each = var.clusters

  name                = each.key
  region              = kvstore_region.this[0].name
  addresses           = each.value.addresses
  advertised_address  = each.value.advertised_address
  state               = each.value.initial_state
  deletion_protection = each.value.deletion_protection

  lifecycle {
    # Draining is an act of operators; an apply must not end it.
    ignore_changes = [state]
  }
}

resource "kvstore_join_token" "this" {
  for_each = local.join_tokens

  cluster           = kvstore_cluster.this[each.value.cluster].name
  label             = coalesce(each.value.label, each.value.name)
  expires_at        = each.value.expires_at
  secret_wo         = lookup(var.join_token_secrets, each.key, null)
  secret_wo_version = each.value.secret_version
}
