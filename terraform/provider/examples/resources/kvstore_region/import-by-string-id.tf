import {
  to = kvstore_region.eu_1
  id = "eu-1"
}
