import {
  to = kvstore_key.reader
  id = "acme/k3v9x0q2m7abk3v9x0q2"
}
