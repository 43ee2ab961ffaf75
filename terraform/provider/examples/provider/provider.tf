terraform {
  required_version = ">= 1.11"
  required_providers {
    kvstore = {
      source = "kvstore.dev/kvstore/kvstore"
    }
  }
}

# The token comes from the environment variable KVSTORE_ADMIN_TOKEN.
provider "kvstore" {
  endpoint = "https://control.example.com:8080"
  ca_file  = "/etc/kvstore/ca.pem"
}
