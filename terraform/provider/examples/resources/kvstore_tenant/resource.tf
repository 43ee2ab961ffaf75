resource "kvstore_tenant" "acme" {
  name         = "acme"
  display_name = "Acme Inc."
}
