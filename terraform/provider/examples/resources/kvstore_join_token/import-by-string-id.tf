import {
  to = kvstore_join_token.eu_1_a
  id = "eu-1-a/k3v9x0q2m7ab"
}
