mock_provider "azurerm" {
  source = "../../testing/mocks"
}

variables {
  subscription_id        = "00000000-0000-0000-0000-000000000000"
  resource_group_name    = "rg-kv"
  subnet_id              = "/subscriptions/s/resourceGroups/spoke/providers/Microsoft.Network/virtualNetworks/spoke/subnets/kv"
  private_dns_zone_id    = "/subscriptions/hub/resourceGroups/dns/providers/Microsoft.Network/privateDnsZones/kv.example.com"
  key_vault_id           = "/subscriptions/hub/resourceGroups/vaults/providers/Microsoft.KeyVault/vaults/platform"
  image_id               = "/subscriptions/s/resourceGroups/images/providers/Microsoft.Compute/galleries/kv/images/node/versions/1.4.0"
  ssh_public_key         = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBdsCRBhYQcLzfV0dDKEe3hdCWFCYqMKCPQ2SYFBo9+7 admin"
  control_plane_endpoint = "control.kv.example.com:9090"
}

run "a_cluster_in_a_network_of_yours" {
  assert {
    condition     = output.endpoints == ["eu-1-a.kv.example.com:8085", "eu-1-a.kv.example.com:8086"]
    error_message = "The cluster's name is in your zone."
  }

  assert {
    condition     = module.cluster.address_patterns == ["*.kv.example.com:8085-8086"]
    error_message = "Machines register in your zone as well."
  }

  assert {
    condition     = strcontains(module.cluster.cloud_init, "--vault https://platform.vault.azure.net ") && strcontains(module.cluster.cloud_init, "--control-plane control.kv.example.com:9090 --region eu-1 --cluster eu-1-a ")
    error_message = "They read your vault, and join as what was asked for."
  }
}
