data "kvstore_keys" "acme" {
  tenant = "acme"
}
