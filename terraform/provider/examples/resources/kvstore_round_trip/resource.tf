resource "kvstore_round_trip" "eu_us" {
  region = kvstore_region.eu_1.name
  other  = kvstore_region.us_1.name
  micros = 85000
}
