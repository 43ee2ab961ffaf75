data "kvstore_key" "writer" {
  tenant = "acme"
  id     = "k3v9x0q2m7abk3v9x0q2"
}
