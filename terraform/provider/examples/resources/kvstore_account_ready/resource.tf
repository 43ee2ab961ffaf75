resource "kvstore_account_ready" "acme_cache" {
  account  = kvstore_account.acme_cache.name
  timeouts = { create = "20m" }
}
