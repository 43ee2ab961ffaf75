terraform import kvstore_region.eu_1 eu-1
