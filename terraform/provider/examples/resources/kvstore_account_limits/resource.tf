resource "kvstore_account_limits" "acme_cache" {
  account          = kvstore_account.acme_cache.name
  operations       = 200
  bytes_per_second = 2000000000
}
