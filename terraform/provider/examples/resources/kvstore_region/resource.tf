resource "kvstore_region" "eu_1" {
  name         = "eu-1"
  display_name = "Frankfurt"
}
