data "kvstore_route" "acme_eu_1" {
  account = "acme-cache"
  region  = "eu-1"
}
