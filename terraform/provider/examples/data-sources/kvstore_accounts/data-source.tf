data "kvstore_accounts" "acme" {
  tenant = "acme"
}
