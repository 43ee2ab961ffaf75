mock_provider "azurerm" {
  source = "../../testing/mocks"
}

variables {
  name          = "eu-1"
  location      = "germanywestcentral"
  address_space = "10.64.0.0/16"
}

run "a_peering_links_the_names_of_data_planes" {
  variables {
    peerings = {
      us-1 = {
        virtual_network_id = "/subscriptions/s/resourceGroups/rg-us-1/providers/Microsoft.Network/virtualNetworks/vnet-us-1"
        address_spaces     = ["10.65.0.0/16"]
      }
      acme = {
        virtual_network_id  = "/subscriptions/s/resourceGroups/acme/providers/Microsoft.Network/virtualNetworks/acme"
        address_spaces      = ["10.200.0.0/20", "172.16.0.0/24"]
        resolve_data_planes = false
      }
    }
  }

  assert {
    condition     = keys(azurerm_virtual_network_peering.this) == ["acme", "us-1"] && keys(azurerm_private_dns_zone_virtual_network_link.peers) == ["us-1"]
    error_message = "Each network is peered; those that ask for it find data planes by name."
  }

  assert {
    condition     = alltrue([for peering in azurerm_virtual_network_peering.this : !peering.allow_forwarded_traffic && !peering.use_remote_gateways && !peering.allow_gateway_transit])
    error_message = "A peering carries the traffic of the two networks alone."
  }
}

run "a_group_zones_and_a_workspace_that_exist_are_used" {
  variables {
    create_resource_group          = false
    resource_group_name            = "platform"
    create_log_analytics_workspace = false
    log_analytics_workspace_id     = "/subscriptions/s/resourceGroups/hub/providers/Microsoft.OperationalInsights/workspaces/hub"
    existing_private_dns_zone_ids = {
      blob = "/subscriptions/s/resourceGroups/hub/providers/Microsoft.Network/privateDnsZones/privatelink.blob.core.windows.net"
    }
  }

  assert {
    condition     = length(azurerm_resource_group.this) == 0 && azurerm_virtual_network.this.resource_group_name == "platform" && output.resource_group_name == "platform"
    error_message = "The group is the one that was named."
  }

  assert {
    condition     = keys(azurerm_private_dns_zone.this) == ["data_planes", "monitor", "monitor_agent", "monitor_ods", "monitor_oms", "postgres", "vault"] && output.private_dns_zone_ids["blob"] == var.existing_private_dns_zone_ids["blob"]
    error_message = "The hub's zone is handed on; it is not made again."
  }

  assert {
    condition     = length(azurerm_log_analytics_workspace.this) == 0 && output.log_analytics_workspace_id == var.log_analytics_workspace_id
    error_message = "The hub's workspace is handed on."
  }
}

run "a_nat_gateway_opens_the_way_out" {
  variables {
    nat_gateway = { zone = "2" }
  }

  assert {
    condition     = azurerm_nat_gateway.this[0].zones == toset(["2"]) && azurerm_public_ip.nat[0].zones == toset(["2"])
    error_message = "The gateway and its address are in one zone."
  }

  assert {
    condition     = keys(azurerm_network_security_rule.deny) == ["Inbound"]
    error_message = "With a gateway, machines may go out, and nobody may come in."
  }
}

run "monitoring_and_bastion_come_from_their_ranges" {
  variables {
    monitoring_address_prefixes = ["10.80.1.0/24", "10.80.3.0/24"]
    ssh_address_prefixes        = ["10.80.2.0/24"]
    data_plane_ports            = { last = 8088 }
  }

  assert {
    condition     = azurerm_network_security_rule.inbound["metrics-from-monitoring"].source_address_prefixes == toset(["10.80.1.0/24", "10.80.3.0/24"]) && azurerm_network_security_rule.inbound["metrics-from-monitoring"].destination_port_ranges == toset(["9085-9088"])
    error_message = "Metrics are read from these ranges, at all HTTP ports."
  }

  assert {
    condition     = azurerm_network_security_rule.inbound["ssh"].source_address_prefixes == toset(["10.80.2.0/24"]) && azurerm_network_security_rule.inbound["ssh"].destination_port_ranges == toset(["22"])
    error_message = "SSH comes from the bastion alone."
  }

  assert {
    condition     = length(distinct([for rule in azurerm_network_security_rule.inbound : rule.priority])) == length(azurerm_network_security_rule.inbound)
    error_message = "Each rule has a priority of its own, as Azure demands."
  }
}

run "a_lock_roles_and_diagnostics_have_the_usual_forms" {
  variables {
    lock = { kind = "CanNotDelete" }
    role_assignments = {
      readers = { role_definition_id_or_name = "Reader", principal_id = "11111111-1111-1111-1111-111111111111" }
      custom = {
        role_definition_id_or_name = "/subscriptions/s/providers/Microsoft.Authorization/roleDefinitions/22222222-2222-2222-2222-222222222222"
        principal_id               = "11111111-1111-1111-1111-111111111111"
      }
    }
    diagnostic_settings = {
      hub = { workspace_resource_id = "/subscriptions/s/resourceGroups/hub/providers/Microsoft.OperationalInsights/workspaces/hub" }
    }
  }

  assert {
    condition     = azurerm_management_lock.this[0].lock_level == "CanNotDelete" && azurerm_management_lock.this[0].scope == output.virtual_network_id
    error_message = "The lock is on the network: on the group it would keep machines from being replaced."
  }

  assert {
    condition     = azurerm_role_assignment.this["readers"].role_definition_name == "Reader" && azurerm_role_assignment.this["custom"].role_definition_id == var.role_assignments["custom"].role_definition_id_or_name
    error_message = "A role is named, or given by its id."
  }

  assert {
    condition     = [for log in azurerm_monitor_diagnostic_setting.this["hub"].enabled_log : log.category_group] == ["allLogs"] && [for metric in azurerm_monitor_diagnostic_setting.this["hub"].enabled_metric : metric.category] == ["AllMetrics"]
    error_message = "A setting sends all there is unless it says otherwise."
  }
}
