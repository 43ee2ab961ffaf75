ephemeral "kvstore_token" "smoke_test" {
  tenant     = "acme"
  expires_in = "10m"
}
