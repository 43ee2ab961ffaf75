terraform import kvstore_cluster.eu_1_a eu-1-a
