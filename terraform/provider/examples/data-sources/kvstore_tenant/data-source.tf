data "kvstore_tenant" "acme" {
  name = "acme"
}
