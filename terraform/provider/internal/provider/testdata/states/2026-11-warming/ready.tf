resource "kvstore_account_ready" "test" {
  account = kvstore_account.test.name
}

resource "kvstore_warming" "used" {
  account       = kvstore_account_ready.test.account
  from          = kvstore_region.one.name
  to            = kvstore_region.two.name
  select        = { used = true }
  every_seconds = 10
}

resource "kvstore_warming" "listed" {
  account = kvstore_account_ready.test.account
  from    = kvstore_region.one.name
  to      = kvstore_region.two.name
  select = {
    stored_since = "2026-01-31T01:00:00+01:00"
    partition    = "model/1"
    block_tokens = 64
  }
  every_seconds       = 3600
  bytes_per_second    = 1000000
  requests_per_second = 10
  preheat             = "disk"
}
