terraform {
  required_version = ">= 1.11, < 2.0"
  required_providers {
    kvstore = {
      source  = "kvstore.dev/kvstore/kvstore"
      version = ">= 0.1.0, < 1.0.0"
    }
  }
}
