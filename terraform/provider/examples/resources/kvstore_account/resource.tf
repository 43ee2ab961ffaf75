resource "kvstore_account" "acme_cache" {
  name        = "acme-cache"
  tenant      = kvstore_tenant.acme.name
  home_region = "eu-1"

  replicas = {
    "eu-1" = {
      endpoint   = "https://acmeeu.blob.core.windows.net"
      container  = "blocks"
      credential = "managed-identity"
    }
    "us-1" = {
      endpoint   = "https://acmeus.blob.core.windows.net"
      container  = "blocks"
      credential = "managed-identity"
    }
  }

  read_through = { from = "eu-1" }
}

# The tenant shows that the containers are its own by a blob in each of them.
output "proofs" {
  value = kvstore_account.acme_cache.proofs
}
