data "kvstore_account" "acme_cache" {
  name = "acme-cache"
}

check "ready" {
  assert {
    condition     = data.kvstore_account.acme_cache.ready
    error_message = "The storage of acme-cache cannot be used."
  }
}
