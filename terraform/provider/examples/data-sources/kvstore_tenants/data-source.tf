data "kvstore_tenants" "all" {}
