mock_provider "azurerm" {
  source = "../../testing/mocks"

  # A bastion's subnet is known by the end of its id.
  override_resource {
    target = azurerm_subnet.this["bastion"]
    values = { id = "/subscriptions/s/resourceGroups/rg-eu-1/providers/Microsoft.Network/virtualNetworks/vnet-eu-1/subnets/AzureBastionSubnet" }
  }
}

variables {
  name          = "eu-1"
  location      = "germanywestcentral"
  address_space = "10.64.0.0/16"
  bastion       = {}
}

run "a_bastion_tunnels_to_machines" {
  assert {
    condition     = azurerm_bastion_host.this[0].tunneling_enabled && azurerm_bastion_host.this[0].sku == "Standard" && azurerm_bastion_host.this[0].ip_configuration[0].subnet_id == azurerm_subnet.this["bastion"].id
    error_message = "Tunnels of native clients are on, which Basic has not."
  }

  assert {
    condition     = azurerm_subnet.this["bastion"].name == "AzureBastionSubnet" && azurerm_subnet.this["bastion"].address_prefixes[0] == "10.64.19.0/24"
    error_message = "Azure demands this name; the range is the next part of the network."
  }

  assert {
    condition     = azurerm_network_security_rule.inbound["ssh"].source_address_prefixes == toset(["10.64.19.0/24"])
    error_message = "Machines take SSH from the bastion alone."
  }

  assert {
    condition     = contains(azurerm_network_security_rule.inbound["control-plane-from-admins"].source_address_prefixes, "10.64.0.0/16") && azurerm_network_security_rule.bastion["communication"].destination_port_ranges == toset(["8080", "5701"])
    error_message = "A tunnel reaches the REST API of the control plane."
  }

  assert {
    condition     = output.bastion_name == "bas-eu-1"
    error_message = "Its name is handed on."
  }
}

run "its_subnet_has_all_rules_that_azure_demands" {
  assert {
    condition = { for name, rule in azurerm_network_security_rule.bastion : name => join(" ", [rule.direction, rule.source_address_prefix, rule.destination_address_prefix, join(",", sort(rule.destination_port_ranges))]) } == {
      clients       = "Inbound Internet * 443"
      manager       = "Inbound GatewayManager * 443"
      balancer      = "Inbound AzureLoadBalancer * 443"
      own-machines  = "Inbound VirtualNetwork VirtualNetwork 5701,8080"
      machines      = "Outbound * VirtualNetwork 22,3389"
      azure         = "Outbound * AzureCloud 443"
      communication = "Outbound VirtualNetwork VirtualNetwork 5701,8080"
      certificates  = "Outbound * Internet 80"
    }
    error_message = "https://learn.microsoft.com/azure/bastion/bastion-nsg lists them; without one Azure refuses the group."
  }

  assert {
    condition     = contains(keys(azurerm_subnet_network_security_group_association.this), "bastion")
    error_message = "The subnet has its group."
  }
}

run "clients_of_known_addresses_alone" {
  variables {
    bastion              = { client_address_prefixes = ["203.0.113.0/24"], sku = "Premium", scale_units = 4 }
    ssh_address_prefixes = ["10.80.2.0/24"]
  }

  assert {
    condition     = azurerm_network_security_rule.bastion["clients"].source_address_prefixes == toset(["203.0.113.0/24"]) && azurerm_network_security_rule.bastion["clients"].source_address_prefix == null
    error_message = "Nobody else reaches the bastion."
  }

  assert {
    condition     = azurerm_network_security_rule.inbound["ssh"].source_address_prefixes == toset(["10.64.19.0/24", "10.80.2.0/24"])
    error_message = "Another range of SSH stays beside the bastion's."
  }
}

run "without_it_there_is_none" {
  variables {
    bastion = null
  }

  assert {
    condition     = length(azurerm_bastion_host.this) == 0 && length(azurerm_public_ip.bastion) == 0 && !contains(keys(azurerm_subnet.this), "bastion") && output.bastion_name == null
    error_message = "By default nothing has an address on the internet."
  }
}

run "a_bastion_in_the_smallest_network" {
  variables {
    address_space = "10.64.0.0/18"
  }

  assert {
    condition     = endswith(azurerm_subnet.this["bastion"].address_prefixes[0], "/26")
    error_message = "Its usual part is as large as Azure demands."
  }
}

run "a_sku_without_tunnels" {
  command = plan

  variables {
    bastion = { sku = "Basic" }
  }

  expect_failures = [var.bastion]
}

run "too_many_scale_units" {
  command = plan

  variables {
    bastion = { scale_units = 51 }
  }

  expect_failures = [var.bastion]
}

run "clients_that_are_everybody" {
  command = plan

  variables {
    bastion = { client_address_prefixes = ["0.0.0.0/0"] }
  }

  expect_failures = [var.bastion]
}

run "a_subnet_that_is_too_small" {
  command = plan

  variables {
    subnet_address_prefixes = { bastion = "10.64.19.0/27" }
  }

  expect_failures = [var.subnet_address_prefixes]
}
