import {
  to = kvstore_account_limits.acme_cache
  id = "acme-cache"
}
