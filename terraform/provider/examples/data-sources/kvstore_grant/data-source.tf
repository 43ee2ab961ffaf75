data "kvstore_grant" "inference" {
  account = "acme-cache"
  name    = "inference"
}
