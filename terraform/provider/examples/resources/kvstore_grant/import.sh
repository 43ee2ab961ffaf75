terraform import kvstore_grant.inference acme-cache/inference
