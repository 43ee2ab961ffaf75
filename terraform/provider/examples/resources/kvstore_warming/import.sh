terraform import kvstore_warming.acme_cache w-20261123-101500-3fa9c1
