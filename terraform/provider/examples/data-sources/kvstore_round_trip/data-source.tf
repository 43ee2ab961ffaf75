data "kvstore_round_trip" "eu_us" {
  region = "eu-1"
  other  = "us-1"
}
