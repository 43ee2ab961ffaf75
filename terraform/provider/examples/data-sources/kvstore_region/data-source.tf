data "kvstore_region" "eu_1" {
  name = "eu-1"
}
