mock_provider "azurerm" {
  source = "../../testing/mocks"

  override_resource {
    target = module.eu.azurerm_private_dns_zone.this["data_planes"]
    values = { id = "/subscriptions/s/resourceGroups/rg-eu-1/providers/Microsoft.Network/privateDnsZones/eu-1.kv.internal" }
  }
  override_resource {
    target = module.us.azurerm_private_dns_zone.this["data_planes"]
    values = { id = "/subscriptions/s/resourceGroups/rg-us-1/providers/Microsoft.Network/privateDnsZones/us-1.kv.internal" }
  }
}

mock_provider "kvstore" {}

variables {
  subscription_id        = "00000000-0000-0000-0000-000000000000"
  control_plane_endpoint = "control.kv.example.com:9090"
  key_vault_id           = "/subscriptions/s/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/kv-control"
  ssh_public_key         = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBdsCRBhYQcLzfV0dDKEe3hdCWFCYqMKCPQ2SYFBo9+7 admin"
  image_ids = {
    eu-1 = "/subscriptions/s/resourceGroups/images/providers/Microsoft.Compute/galleries/kv/images/node/versions/1.4.0"
    us-1 = "/subscriptions/s/resourceGroups/images/providers/Microsoft.Compute/galleries/kv/images/node/versions/1.4.0"
  }
}

run "two_regions" {
  assert {
    condition     = output.cluster_endpoints["eu-1"][0] == "eu-1-a.eu-1.kv.internal:8085" && output.cluster_endpoints["us-1"][0] == "us-1-a.us-1.kv.internal:8085"
    error_message = "Each cluster has its name in its region's zone."
  }

  assert {
    condition     = keys(azurerm_key_vault_secret.join_token) == ["eu-1", "us-1"] && kvstore_round_trip.eu_us.micros == 90000
    error_message = "Each region has a join token of its own."
  }

  assert {
    condition = alltrue([for region in ["eu-1", "us-1"] : alltrue([for words in [
      "--file join-token-${region}=", "--file kv-tls-${region}=", "--region ${region} --cluster ${region}-a ", "--vault https://kv-control.vault.azure.net "
    ] : strcontains(module.cluster[region].cloud_init, words)])])
    error_message = "Machines read the token and the certificate of their region, and join it."
  }

  assert {
    condition     = alltrue([for region in ["eu-1", "us-1"] : azurerm_key_vault_secret.join_token[region].name == "join-token-${region}" && azurerm_key_vault_secret.join_token[region].value_wo_version == 1])
    error_message = "The vault has tokens under the names that machines ask for."
  }

  assert {
    condition     = [module.eu.name, module.eu.location] == ["eu-1", "germanywestcentral"] && [module.us.name, module.us.location] == ["us-1", "eastus2"] && module.eu.address_space != module.us.address_space
    error_message = "Two places, and two ranges that do not overlap."
  }
}
