terraform import kvstore_round_trip.eu_us eu-1/us-1
