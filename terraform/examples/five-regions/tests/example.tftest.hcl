mock_provider "azurerm" {
  source = "../../testing/mocks"

  # Ids whose names count: of zones, a name is read from its id.
  override_resource {
    target = module.region["eu-1"].azurerm_private_dns_zone.this["postgres"]
    values = { id = "/subscriptions/s/resourceGroups/rg-eu-1/providers/Microsoft.Network/privateDnsZones/eu-1.private.postgres.database.azure.com" }
  }
  override_resource {
    target = module.region["eu-2"].azurerm_private_dns_zone.this["postgres"]
    values = { id = "/subscriptions/s/resourceGroups/rg-eu-2/providers/Microsoft.Network/privateDnsZones/eu-2.private.postgres.database.azure.com" }
  }
  override_resource {
    target = module.region["ap-1"].azurerm_private_dns_zone.this["data_planes"]
    values = { id = "/subscriptions/s/resourceGroups/rg-ap-1/providers/Microsoft.Network/privateDnsZones/ap-1.kv.internal" }
  }
  override_resource {
    target = module.region["ap-1"].azurerm_private_dns_zone.this["vault"]
    values = { id = "/subscriptions/s/resourceGroups/rg-ap-1/providers/Microsoft.Network/privateDnsZones/privatelink.vaultcore.azure.net" }
  }
  override_resource {
    target = module.region["ap-1"].azurerm_virtual_network.this
    values = { id = "/subscriptions/s/resourceGroups/rg-ap-1/providers/Microsoft.Network/virtualNetworks/vnet-ap-1" }
  }
  override_resource {
    target = module.region["eu-1"].azurerm_private_dns_zone.this["data_planes"]
    values = { id = "/subscriptions/s/resourceGroups/rg-eu-1/providers/Microsoft.Network/privateDnsZones/eu-1.kv.internal" }
  }
  override_resource {
    target = module.region["eu-1"].azurerm_private_dns_zone.this["vault"]
    values = { id = "/subscriptions/s/resourceGroups/rg-eu-1/providers/Microsoft.Network/privateDnsZones/privatelink.vaultcore.azure.net" }
  }
  override_resource {
    target = module.region["eu-1"].azurerm_virtual_network.this
    values = { id = "/subscriptions/s/resourceGroups/rg-eu-1/providers/Microsoft.Network/virtualNetworks/vnet-eu-1" }
  }
  override_resource {
    target = module.region["eu-2"].azurerm_private_dns_zone.this["data_planes"]
    values = { id = "/subscriptions/s/resourceGroups/rg-eu-2/providers/Microsoft.Network/privateDnsZones/eu-2.kv.internal" }
  }
  override_resource {
    target = module.region["eu-2"].azurerm_private_dns_zone.this["vault"]
    values = { id = "/subscriptions/s/resourceGroups/rg-eu-2/providers/Microsoft.Network/privateDnsZones/privatelink.vaultcore.azure.net" }
  }
  override_resource {
    target = module.region["eu-2"].azurerm_virtual_network.this
    values = { id = "/subscriptions/s/resourceGroups/rg-eu-2/providers/Microsoft.Network/virtualNetworks/vnet-eu-2" }
  }
  override_resource {
    target = module.region["us-1"].azurerm_private_dns_zone.this["data_planes"]
    values = { id = "/subscriptions/s/resourceGroups/rg-us-1/providers/Microsoft.Network/privateDnsZones/us-1.kv.internal" }
  }
  override_resource {
    target = module.region["us-1"].azurerm_private_dns_zone.this["vault"]
    values = { id = "/subscriptions/s/resourceGroups/rg-us-1/providers/Microsoft.Network/privateDnsZones/privatelink.vaultcore.azure.net" }
  }
  override_resource {
    target = module.region["us-1"].azurerm_virtual_network.this
    values = { id = "/subscriptions/s/resourceGroups/rg-us-1/providers/Microsoft.Network/virtualNetworks/vnet-us-1" }
  }
  override_resource {
    target = module.region["us-2"].azurerm_private_dns_zone.this["data_planes"]
    values = { id = "/subscriptions/s/resourceGroups/rg-us-2/providers/Microsoft.Network/privateDnsZones/us-2.kv.internal" }
  }
  override_resource {
    target = module.region["us-2"].azurerm_private_dns_zone.this["vault"]
    values = { id = "/subscriptions/s/resourceGroups/rg-us-2/providers/Microsoft.Network/privateDnsZones/privatelink.vaultcore.azure.net" }
  }
  override_resource {
    target = module.region["us-2"].azurerm_virtual_network.this
    values = { id = "/subscriptions/s/resourceGroups/rg-us-2/providers/Microsoft.Network/virtualNetworks/vnet-us-2" }
  }
}

mock_provider "kvstore" {}

variables {
  subscription_id    = "00000000-0000-0000-0000-000000000000"
  control_plane_name = "kv-world-control"
  image_version      = "1.4.0"
  ssh_public_key     = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBdsCRBhYQcLzfV0dDKEe3hdCWFCYqMKCPQ2SYFBo9+7 admin"
  database_password  = "0123456789abcdef0123456789abcdef"
  admin_token        = "kva_0123456789abcdef"
  join_token_secret  = "0123456789abcdefghijklmnopqrstuvwxyz0123456789"
  role_wait_seconds  = 0
  customers = {
    acme = {
      home_region  = "eu-1"
      warm_regions = ["us-1"]
      replicas = {
        for region in ["ap-1", "eu-1", "eu-2", "us-1", "us-2"] : region => {
          storage_account_id = "/subscriptions/s/resourceGroups/acme/providers/Microsoft.Storage/storageAccounts/acme${replace(region, "-", "")}"
          container          = "blocks"
        }
      }
    }
  }
}

run "networks_and_the_database_come_first" {
  command = plan

  variables {
    stage         = 1
    image_version = null
  }

  assert {
    condition     = output.packer_variables.target_locations == tolist(["centralus", "eastus2", "japaneast", "northeurope", "westeurope"]) && output.packer_variables.location == "northeurope"
    error_message = "The image is copied to all locations."
  }

  assert {
    condition     = length(module.cluster) == 0 && length(module.registration) == 0 && length(module.customer) == 0 && output.control_plane.grpc == null
    error_message = "No machine starts before its certificates are there."
  }

  assert {
    condition     = tomap(output.certificates) == tomap({ kv-control = "control.eu-1.kv.internal", kv-tls-ap-1 = "*.ap-1.kv.internal", kv-tls-eu-1 = "*.eu-1.kv.internal", kv-tls-eu-2 = "*.eu-2.kv.internal", kv-tls-us-1 = "*.us-1.kv.internal", kv-tls-us-2 = "*.us-2.kv.internal" })
    error_message = "It says which certificates it needs."
  }
}

run "five_regions" {
  assert {
    condition     = alltrue([for name in keys(var.regions) : output.cluster_endpoints[name][0] == "${name}-a.${name}.kv.internal:8085"])
    error_message = "Each cluster has its name in its region's zone."
  }

  assert {
    condition = alltrue([for name in keys(var.regions) : alltrue([for words in [
      "--file join-token-${name}=", "--file kv-tls-${name}=", "--control-plane control.eu-1.kv.internal:9090 --region ${name} --cluster ${name}-a "
    ] : strcontains(module.cluster[name].cloud_init, words)])])
    error_message = "Machines read the token and the certificate of their region, and join it at the one control plane."
  }

  assert {
    condition     = length(module.peering.peering_ids) == 20 && length(kvstore_round_trip.this) == 10
    error_message = "Each two regions are peered, and their distance is known."
  }

  assert {
    condition     = alltrue([for name in keys(var.regions) : length(module.customer_storage[name].storage_endpoint_ids) == 5])
    error_message = "Data planes of each region reach all replicas."
  }

  assert {
    condition     = keys(output.keys) == ["acme"] && contains(module.customer["acme"].accounts, "acme-prod")
    error_message = "The customer has an account and a key."
  }

  assert {
    condition     = keys(module.customer["acme"].warming_ids) == ["acme-us-1"]
    error_message = "Blocks that are used at home are copied into the region that is kept warm."
  }

  assert {
    condition     = alltrue([for token in module.registration : length(token.join_tokens) == 0])
    error_message = "No join token is in the state."
  }
}

run "all_regions_send_to_one_workspace" {
  variables {
    logs = true
  }

  assert {
    condition     = alltrue([for cluster in module.cluster : strcontains(cluster.cloud_init, "- url: ${module.monitoring.remote_write_url}\n")])
    error_message = "Each cluster's machines send there."
  }

  assert {
    condition     = keys(module.monitoring.logs) == ["ap-1", "eu-1", "eu-2", "public", "us-1", "us-2"]
    error_message = "Logs go by an endpoint of each region."
  }
}

run "a_sixth_region_is_one_more_line" {
  command = plan

  variables {
    regions = {
      eu-1 = { location = "northeurope", address_space = "10.64.0.0/16" }
      eu-2 = { location = "westeurope", address_space = "10.65.0.0/16" }
      us-1 = { location = "eastus2", address_space = "10.66.0.0/16" }
      us-2 = { location = "centralus", address_space = "10.67.0.0/16" }
      ap-1 = { location = "japaneast", address_space = "10.68.0.0/16" }
      ap-2 = { location = "southeastasia", address_space = "10.69.0.0/16" }
    }
    customers = {}
    stage     = 1
  }

  assert {
    condition     = length(module.region) == 6 && length(module.peering.peering_ids) == 30
    error_message = "It is peered with all others."
  }
}

run "a_control_plane_that_moved_keeps_its_name" {
  command = plan

  variables {
    control_plane_region      = "eu-2"
    control_plane_name_region = "eu-1"
    control_plane_name        = "kv-world-control2"
    database                  = { restore = { source_server_id = "/subscriptions/s/resourceGroups/rg-eu-1/providers/Microsoft.DBforPostgreSQL/flexibleServers/kv-world-control-pg", time = "2026-11-29T10:00:00Z", other_location = true } }
    customers                 = {}
  }

  assert {
    condition     = output.control_plane.grpc == "control.eu-1.kv.internal:9090" && alltrue([for cluster in module.cluster : strcontains(cluster.cloud_init, "--control-plane control.eu-1.kv.internal:9090")])
    error_message = "Data planes and clients find it where they found it before."
  }
}

run "machines_need_an_image" {
  command = plan

  variables {
    image_version = null
    customers     = {}
  }

  expect_failures = [var.image_version]
}

run "admins_come_in_by_a_bastion" {
  command = plan

  variables {
    bastion_regions = ["eu-1"]
    stage           = 1
    customers       = {}
  }

  override_resource {
    target = module.region["eu-1"].azurerm_subnet.this["bastion"]
    values = { id = "/subscriptions/s/resourceGroups/rg-eu-1/providers/Microsoft.Network/virtualNetworks/vnet-eu-1/subnets/AzureBastionSubnet" }
  }

  assert {
    condition     = { for name, region in module.region : name => region.bastion_name if region.bastion_name != null } == { eu-1 = "bas-eu-1" }
    error_message = "One is enough, where the control plane is."
  }
}
