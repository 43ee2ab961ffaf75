resource "kvstore_placement" "acme_eu_1" {
  account = kvstore_account.acme_cache.name
  region  = "eu-1"
  cluster = kvstore_cluster.eu_1_a.name
}
