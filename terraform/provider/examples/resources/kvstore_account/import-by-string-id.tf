import {
  to = kvstore_account.acme_cache
  id = "acme-cache"
}
