data "kvstore_cluster" "eu_1_a" {
  name = "eu-1-a"
}
