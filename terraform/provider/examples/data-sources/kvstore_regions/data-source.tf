data "kvstore_regions" "all" {}
