terraform import kvstore_placement.acme_eu_1 acme-cache/eu-1
