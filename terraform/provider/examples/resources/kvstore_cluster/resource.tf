resource "kvstore_cluster" "eu_1_a" {
  name      = "eu-1-a"
  region    = kvstore_region.eu_1.name
  addresses = ["10.0.0.0/16:8085-8099"]

  # The state is not set: it is "provisioning" at first, and no apply reverts a drain.
}
