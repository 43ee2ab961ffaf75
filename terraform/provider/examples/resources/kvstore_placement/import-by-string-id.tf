import {
  to = kvstore_placement.acme_eu_1
  id = "acme-cache/eu-1"
}
