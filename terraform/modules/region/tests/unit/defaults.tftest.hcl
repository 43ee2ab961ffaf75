mock_provider "azurerm" {
  source = "../../testing/mocks"
}

variables {
  name          = "eu-1"
  location      = "germanywestcentral"
  address_space = "10.64.0.0/16"
}

run "three_inputs_make_a_region" {
  assert {
    condition     = azurerm_resource_group.this[0].name == "rg-eu-1" && azurerm_virtual_network.this.name == "vnet-eu-1"
    error_message = "Names begin with their kind and end with the region's."
  }

  assert {
    condition = {
      for key, subnet in azurerm_subnet.this : key => subnet.address_prefixes[0]
      } == {
      data      = "10.64.0.0/20"
      endpoints = "10.64.16.0/24"
      link      = "10.64.17.0/24"
      postgres  = "10.64.18.0/24"
    }
    error_message = "Subnets are a sixteenth and three 256ths of the range."
  }

  assert {
    condition     = length(azurerm_management_lock.this) == 0 && length(azurerm_nat_gateway.this) == 0 && length(azurerm_virtual_network_peering.this) == 0
    error_message = "Nothing is made that was not asked for."
  }
}

run "nothing_goes_out_by_default" {
  assert {
    condition     = alltrue([for subnet in azurerm_subnet.this : subnet.default_outbound_access_enabled == false])
    error_message = "No subnet has Azure's default way to the internet."
  }

  assert {
    condition     = toset([for rule in azurerm_network_security_rule.deny : rule.direction]) == toset(["Inbound", "Outbound"]) && alltrue([for rule in azurerm_network_security_rule.deny : rule.access == "Deny" && rule.priority == 4096])
    error_message = "What no rule allows is denied, in both directions."
  }

  assert {
    condition     = !contains([for rule in azurerm_network_security_rule.outbound : rule.destination_address_prefix], "Internet")
    error_message = "The internet is no destination."
  }
}

run "metrics_are_for_the_balancer_alone" {
  assert {
    condition     = [for rule in azurerm_network_security_rule.inbound : rule.source_address_prefix if contains(rule.destination_port_ranges, "9085-9086")] == ["AzureLoadBalancer"]
    error_message = "The HTTP ports are open to the balancer's probes and to nobody else."
  }

  assert {
    condition     = toset([for rule in azurerm_network_security_rule.inbound : rule.source_address_prefix if contains(rule.destination_port_ranges, "8085-8086")]) == toset(["AzureLoadBalancer", "VirtualNetwork"])
    error_message = "The gRPC ports are open to networks and to the balancer."
  }

  assert {
    condition     = toset(flatten([for rule in azurerm_network_security_rule.inbound : tolist(rule.destination_port_ranges)])) == toset(["8080", "8085-8086", "9085-9086", "9090"])
    error_message = "No other port is open."
  }
}

run "only_link_has_no_policies_and_only_postgres_is_delegated" {
  assert {
    condition     = [for key, subnet in azurerm_subnet.this : key if !subnet.private_link_service_network_policies_enabled] == ["link"]
    error_message = "A Private Link service needs a subnet without its policies; the others keep them."
  }

  assert {
    condition     = [for key, subnet in azurerm_subnet.this : key if length(subnet.delegation) > 0] == ["postgres"] && azurerm_subnet.this["postgres"].delegation[0].service_delegation[0].name == "Microsoft.DBforPostgreSQL/flexibleServers"
    error_message = "PostgreSQL has a subnet of its own."
  }

  assert {
    condition     = [for key, subnet in azurerm_subnet.this : key if subnet.service_endpoints != null] == ["postgres"]
    error_message = "What Azure adds by itself is in the configuration, so that no plan takes it away."
  }
}

run "machines_register_their_names" {
  assert {
    condition     = [for key, link in azurerm_private_dns_zone_virtual_network_link.this : key if link.registration_enabled] == ["data_planes"]
    error_message = "A network registers in one zone at most: that of the data planes."
  }

  assert {
    condition     = azurerm_private_dns_zone.this["data_planes"].name == "eu-1.kv.internal" && azurerm_private_dns_zone.this["blob"].name == "privatelink.blob.core.windows.net"
    error_message = "Zones have their usual names."
  }

  assert {
    condition     = azurerm_private_dns_zone_virtual_network_link.this["blob"].resolution_policy == "NxDomainRedirect" && azurerm_private_dns_zone_virtual_network_link.this["data_planes"].resolution_policy != "NxDomainRedirect"
    error_message = "Storage accounts without a private endpoint here are found all the same."
  }
}

run "customers_reach_neither_rest_nor_database_nor_endpoints" {
  assert {
    condition     = [for rule in azurerm_network_security_rule.inbound : rule.source_address_prefixes if contains(rule.destination_port_ranges, "8080") && rule.source_address_prefix != "AzureLoadBalancer"] == [toset(["10.64.0.0/16"])]
    error_message = "REST is for this network; others are named by admin_address_prefixes."
  }

  assert {
    condition     = azurerm_network_security_rule.postgres["allow"].source_address_prefixes == toset(["10.64.0.0/20", "10.64.18.0/24"]) && azurerm_network_security_rule.postgres["deny"].source_address_prefix == "VirtualNetwork"
    error_message = "The database is reached from machines, and from its own other server."
  }

  assert {
    condition     = azurerm_network_security_rule.endpoints["allow"].source_address_prefixes == toset(["10.64.0.0/16"])
    error_message = "Private endpoints of storage and key vault are for this network."
  }
}

run "admins_come_from_their_own_network" {
  variables {
    admin_address_prefixes    = ["10.80.3.0/24"]
    endpoint_address_prefixes = ["10.80.4.0/24"]
    database_address_prefixes = ["10.64.32.0/20"]
  }

  assert {
    condition     = azurerm_network_security_rule.inbound["control-plane-from-admins"].source_address_prefixes == toset(["10.64.0.0/16", "10.80.3.0/24"]) && azurerm_network_security_rule.endpoints["allow"].source_address_prefixes == toset(["10.64.0.0/16", "10.80.4.0/24"])
    error_message = "REST is open to them, and endpoints to whom they are opened for."
  }

  assert {
    condition     = contains(azurerm_network_security_rule.postgres["allow"].source_address_prefixes, "10.64.32.0/20")
    error_message = "Control planes in pods reach the database."
  }
}

run "a_key_vault_is_found_in_this_network" {
  assert {
    condition     = azurerm_private_dns_zone.this["vault"].name == "privatelink.vaultcore.azure.net" && azurerm_private_dns_zone_virtual_network_link.this["vault"].resolution_policy == "NxDomainRedirect"
    error_message = "Machines resolve a vault's name to its endpoint, and those of other vaults as everybody does."
  }
}

run "azure_monitor_is_found_in_this_network" {
  assert {
    condition = [for key in ["monitor", "monitor_oms", "monitor_ods", "monitor_agent"] : azurerm_private_dns_zone.this[key].name] == [
      "privatelink.monitor.azure.com", "privatelink.oms.opinsights.azure.com", "privatelink.ods.opinsights.azure.com", "privatelink.agentsvc.azure-automation.net"
    ]
    error_message = "The zones that a private endpoint of Azure Monitor needs, but blob, which is there."
  }

  assert {
    condition     = length(output.monitor_private_dns_zone_ids) == 5 && azurerm_private_dns_zone_virtual_network_link.this["monitor"].resolution_policy == "NxDomainRedirect"
    error_message = "All five are handed on, and names without an endpoint here are found all the same."
  }
}
