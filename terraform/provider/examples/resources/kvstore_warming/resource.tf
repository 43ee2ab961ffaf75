# Blocks that are written and read at home are copied to the other region soon.
resource "kvstore_warming" "acme_cache" {
  account       = kvstore_account_ready.acme_cache.account
  from          = "eu-1"
  to            = "us-1"
  select        = { used = true }
  every_seconds = 10
}

# Beside it, once a day: blocks that no data plane reported, because it was killed.
resource "kvstore_warming" "acme_cache_all" {
  account          = kvstore_account_ready.acme_cache.account
  from             = "eu-1"
  to               = "us-1"
  select           = { all = true }
  every_seconds    = 86400
  bytes_per_second = 20000000
}
