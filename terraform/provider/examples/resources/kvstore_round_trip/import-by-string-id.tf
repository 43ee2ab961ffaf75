import {
  to = kvstore_round_trip.eu_us
  id = "eu-1/us-1"
}
