import {
  to = kvstore_warming.acme_cache
  id = "w-20261123-101500-3fa9c1"
}
