mock_provider "azurerm" {
  source = "../../testing/mocks"
}

variables {
  regions = {
    for index, name in ["ap-1", "eu-1", "eu-2", "us-1", "us-2"] : name => {
      virtual_network_id  = "/subscriptions/s/resourceGroups/rg-${name}/providers/Microsoft.Network/virtualNetworks/vnet-${name}"
      address_space       = "10.${64 + index}.0.0/16"
      private_dns_zone_id = "/subscriptions/s/resourceGroups/rg-${name}/providers/Microsoft.Network/privateDnsZones/${name}.kv.internal"
    }
  }
}

run "each_two_regions_are_peered_from_both_sides" {
  assert {
    condition     = length(azurerm_virtual_network_peering.this) == 20
    error_message = "Five regions are ten pairs."
  }

  assert {
    condition     = azurerm_virtual_network_peering.this["eu-1/us-1"].virtual_network_name == "vnet-eu-1" && azurerm_virtual_network_peering.this["eu-1/us-1"].resource_group_name == "rg-eu-1" && azurerm_virtual_network_peering.this["eu-1/us-1"].remote_virtual_network_id == var.regions["us-1"].virtual_network_id
    error_message = "A side lies in its own network and names the other."
  }
}

run "names_of_each_region_are_found_in_all_others" {
  assert {
    condition     = azurerm_private_dns_zone_virtual_network_link.this["eu-1/us-1"].private_dns_zone_name == "eu-1.kv.internal" && azurerm_private_dns_zone_virtual_network_link.this["eu-1/us-1"].virtual_network_id == var.regions["us-1"].virtual_network_id
    error_message = "The zone of the one is linked to the network of the other."
  }

  assert {
    condition     = alltrue([for link in azurerm_private_dns_zone_virtual_network_link.this : !link.registration_enabled])
    error_message = "Machines register in the zone of their own region alone."
  }
}

run "names_are_somebody_elses" {
  variables {
    resolve_names = false
  }

  assert {
    condition     = length(azurerm_private_dns_zone_virtual_network_link.this) == 0
    error_message = "No zone is linked."
  }
}

run "regions_that_overlap" {
  command = plan

  variables {
    regions = {
      for name in ["eu-1", "us-1"] : name => {
        virtual_network_id  = "/subscriptions/s/resourceGroups/rg-${name}/providers/Microsoft.Network/virtualNetworks/vnet-${name}"
        address_space       = "10.64.0.0/16"
        private_dns_zone_id = "/subscriptions/s/resourceGroups/rg-${name}/providers/Microsoft.Network/privateDnsZones/${name}.kv.internal"
      }
    }
  }

  expect_failures = [var.regions]
}

run "names_without_zones" {
  command = plan

  variables {
    regions = {
      eu-1 = { virtual_network_id = "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/a", address_space = "10.64.0.0/16" }
      us-1 = { virtual_network_id = "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/b", address_space = "10.65.0.0/16" }
    }
  }

  expect_failures = [var.resolve_names]
}
