resource "kvstore_join_token" "eu_1_a" {
  cluster    = kvstore_cluster.eu_1_a.name
  label      = "data planes of eu-1-a"
  expires_at = "2030-01-31T00:00:00Z"
}
