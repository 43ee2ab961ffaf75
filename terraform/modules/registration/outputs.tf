output "region" {
  description = "Name of the region; null where none is registered here."
  value       = one(kvstore_region.this[*].name)
}

output "clusters" {
  description = "Names of the clusters, once they are registered."
  value       = toset([for cluster in kvstore_cluster.this : cluster.name])
}

output "join_tokens" {
  description = "Whole join tokens whose secrets the control plane made, by `CLUSTER/NAME`. The state holds them."
  value       = { for path, token in kvstore_join_token.this : path => token.token if local.join_tokens[path].secret_version == null }
  sensitive   = true
}

output "join_token_ids" {
  description = "Ids of the join tokens by `CLUSTER/NAME`, which are no secrets. The whole token is `kvj_ID_SECRET`."
  value       = { for path, token in kvstore_join_token.this : path => token.id }
}

output "accounts" {
  description = "Names of the storage accounts, once they are registered."
  value       = toset([for account in kvstore_account.this : account.name])
}

output "proofs" {
  description = "By account and region, the blob (`blob`, `content`) that its owner puts into the container to show that it is the owner's. Empty where a platform admin vouches."
  value       = { for name, account in kvstore_account.this : name => account.proofs }
}

output "ready" {
  description = "Names of the accounts that data planes have found good."
  value       = toset([for account in kvstore_account_ready.this : account.account])
}

output "warming_ids" {
  description = "Ids of the standing warmings by name."
  value       = { for name, warming in kvstore_warming.this : name => warming.id }
}

output "key_ids" {
  description = "Ids of the keys by name, which are no secrets. The whole key is `kv_ID_SECRET`."
  value       = { for name, key in kvstore_key.this : name => key.id }
}

output "keys" {
  description = "Whole keys whose secrets the provider made, by name. The state holds them."
  value       = { for name, key in kvstore_key.this : name => key.key if var.keys[name].secret_version == null }
  sensitive   = true
}
