data "kvstore_clusters" "active" {
  region = "eu-1"
  state  = "active"
}
