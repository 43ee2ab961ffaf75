import {
  to = kvstore_cluster.eu_1_a
  id = "eu-1-a"
}
