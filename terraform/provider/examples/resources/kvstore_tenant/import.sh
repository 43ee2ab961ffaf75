terraform import kvstore_tenant.acme acme
