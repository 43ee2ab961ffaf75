import {
  to = kvstore_tenant.acme
  id = "acme"
}
