data "kvstore_placement" "acme_eu_1" {
  account = "acme-cache"
  region  = "eu-1"
}
