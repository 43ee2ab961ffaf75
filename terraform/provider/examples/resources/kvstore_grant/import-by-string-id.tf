import {
  to = kvstore_grant.inference
  id = "acme-cache/inference"
}
