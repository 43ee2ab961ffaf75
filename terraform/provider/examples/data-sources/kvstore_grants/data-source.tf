data "kvstore_grants" "acme_cache" {
  account = "acme-cache"
}
