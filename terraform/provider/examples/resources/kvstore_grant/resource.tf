resource "kvstore_grant" "inference" {
  account   = kvstore_account.acme_cache.name
  name      = "inference"
  grantee   = "model-provider"
  access    = ["read", "write"]
  partition = "llama-3.1-70b/fp8"
}
