terraform import kvstore_account.acme_cache acme-cache
