mock_provider "azurerm" {
  source = "../../testing/mocks"
}

variables {
  name                   = "eu-1-a"
  location               = "germanywestcentral"
  resource_group_name    = "rg-eu-1"
  subnet_id              = "/subscriptions/s/resourceGroups/rg-eu-1/providers/Microsoft.Network/virtualNetworks/vnet-eu-1/subnets/data"
  private_dns_zone_id    = "/subscriptions/s/resourceGroups/dns/providers/Microsoft.Network/privateDnsZones/eu-1.kv.internal"
  source_image_id        = "/subscriptions/s/resourceGroups/images/providers/Microsoft.Compute/galleries/kv/images/node/versions/1.4.0"
  admin_ssh_public_key   = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBdsCRBhYQcLzfV0dDKEe3hdCWFCYqMKCPQ2SYFBo9+7 admin"
  control_plane_endpoint = "control.example.com:9090"
  kvstore_region         = "eu-1"
  key_vault_id           = "/subscriptions/s/resourceGroups/rg-eu-1/providers/Microsoft.KeyVault/vaults/kv-eu-1"
}

run "private_link_speaks_the_proxy_protocol" {
  variables {
    private_link = {
      subnet_id                      = "/subscriptions/s/resourceGroups/rg-eu-1/providers/Microsoft.Network/virtualNetworks/vnet-eu-1/subnets/link"
      subnet_address_prefix          = "10.64.17.0/24"
      auto_approval_subscription_ids = ["11111111-1111-1111-1111-111111111111"]
    }
  }

  assert {
    condition     = azurerm_private_link_service.this[0].proxy_protocol_enabled && strcontains(output.cloud_init, "KVSTORE_PROXY_PROTOCOL_FROM=10.64.17.0/24")
    error_message = "The service sends the header, and data planes believe it from its subnet alone."
  }

  assert {
    condition     = length(azurerm_private_link_service.this[0].nat_ip_configuration) == 8 && [for nat in azurerm_private_link_service.this[0].nat_ip_configuration : nat.name if nat.primary] == ["nat-0"]
    error_message = "Eight addresses, one of them the first."
  }

  assert {
    condition     = azurerm_private_link_service.this[0].visibility_subscription_ids == toset(["11111111-1111-1111-1111-111111111111"]) && azurerm_private_link_service.this[0].fqdns == tolist(["eu-1-a.eu-1.kv.internal"])
    error_message = "Those that need no approval see it, and nobody else does."
  }
}

run "eight_cards_and_eight_numa_nodes" {
  variables {
    network_interface_count = 8
    numa_node_count         = 8
  }

  assert {
    condition     = [for card in azurerm_orchestrated_virtual_machine_scale_set.this.network_interface : card.name if card.primary] == ["nic-0"] && alltrue([for card in azurerm_orchestrated_virtual_machine_scale_set.this.network_interface : card.enable_accelerated_networking])
    error_message = "All cards are accelerated; the first is the machine's own."
  }

  assert {
    condition     = [for card in azurerm_orchestrated_virtual_machine_scale_set.this.network_interface : card.name if try(length(card.ip_configuration[0].load_balancer_backend_address_pool_ids) > 0, false)] == ["nic-0"]
    error_message = "The balancer leads to the first card."
  }

  assert {
    condition     = keys(azurerm_lb_rule.this) == [for port in range(8085, 8093) : tostring(port)]
    error_message = "A rule for each of eight data planes."
  }
}

run "a_location_without_zones" {
  variables {
    zones          = []
    frontend_zones = []
  }

  assert {
    condition     = azurerm_orchestrated_virtual_machine_scale_set.this.zones == null && !azurerm_orchestrated_virtual_machine_scale_set.this.zone_balance && azurerm_lb.this.frontend_ip_configuration[0].zones == null
    error_message = "No zones are asked for, and none balanced."
  }
}

run "a_capacity_reservation_wants_no_single_placement_group" {
  variables {
    capacity_reservation_group_id = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/capacityReservationGroups/kv"
  }

  assert {
    condition     = azurerm_orchestrated_virtual_machine_scale_set.this.single_placement_group == false
    error_message = "Azure refuses the one with the other."
  }
}

run "thirty_machines_are_upgraded_by_fifths" {
  variables {
    instances = 30
    upgrade   = { surge = true }
  }

  assert {
    condition     = azurerm_orchestrated_virtual_machine_scale_set.this.rolling_upgrade_policy[0].max_batch_instance_percent == 20 && azurerm_orchestrated_virtual_machine_scale_set.this.rolling_upgrade_policy[0].maximum_surge_instances_enabled
    error_message = "Six at a time, new ones first."
  }
}

run "an_address_of_its_own" {
  variables {
    frontend_private_ip_address = "10.64.0.10"
  }

  assert {
    condition     = azurerm_lb.this.frontend_ip_configuration[0].private_ip_address_allocation == "Static"
    error_message = "An address that is given is static."
  }
}

run "somebody_else_gives_the_right_and_repairs" {
  variables {
    assign_key_vault_role         = false
    instance_repair_grace_minutes = null
    lock                          = { kind = "ReadOnly", name = "mine" }
    role_assignments              = { readers = { role_definition_id_or_name = "Reader", principal_id = "p" } }
    diagnostic_settings           = { hub = { storage_account_resource_id = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/logs" } }
  }

  assert {
    condition     = length(azurerm_role_assignment.key_vault) == 0 && length(azurerm_orchestrated_virtual_machine_scale_set.this.automatic_instance_repair) == 0
    error_message = "Neither is done twice."
  }

  assert {
    condition     = azurerm_management_lock.this[0].name == "mine" && azurerm_role_assignment.this["readers"].role_definition_name == "Reader" && azurerm_monitor_diagnostic_setting.this["hub"].log_analytics_destination_type != "Dedicated"
    error_message = "Interfaces as everywhere."
  }
}

run "zones_of_machines_are_not_those_of_the_balancer" {
  variables {
    zones = ["1", "2"]
  }

  assert {
    condition     = azurerm_lb.this.frontend_ip_configuration[0].zones == toset(["1", "2", "3"]) && azurerm_orchestrated_virtual_machine_scale_set.this.zones == toset(["1", "2"])
    error_message = "A zone that is added later must not replace the balancer."
  }
}

run "a_region_without_the_vault_has_an_endpoint_of_it" {
  variables {
    key_vault_endpoint = {
      subnet_id           = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/virtualNetworks/kv/subnets/endpoints"
      private_dns_zone_id = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/privateDnsZones/privatelink.vaultcore.azure.net"
    }
  }

  assert {
    condition     = azurerm_private_endpoint.key_vault[0].private_service_connection[0].private_connection_resource_id == var.key_vault_id && one(azurerm_private_endpoint.key_vault[0].private_dns_zone_group[0].private_dns_zone_ids) == var.key_vault_endpoint.private_dns_zone_id
    error_message = "Machines find the vault in their own network."
  }
}

run "settings_of_each_type" {
  variables {
    settings = { KVSTORE_TRANSFER_MEMORY = "2G", KVSTORE_DNS_TTL = "90s", KVSTORE_MAX_LOOKUPS = "2000", KVSTORE_STORAGE_PROXY = "proxy.example.com:3128" }
  }

  assert {
    condition     = alltrue([for name, value in var.settings : strcontains(local.cloud_init, "${name}=${value}")])
    error_message = "A machine gets them as they are."
  }
}

run "logs_go_where_they_are_wanted" {
  variables {
    logs = {
      data_collection_rule_id  = "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Insights/dataCollectionRules/kv-syslog"
      data_collection_endpoint = { id = "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Insights/dataCollectionEndpoints/kv-eu-1-dce" }
    }
  }

  assert {
    condition     = jsondecode(one([for extension in azurerm_orchestrated_virtual_machine_scale_set.this.extension : extension.settings if extension.type == "AzureMonitorLinuxAgent"])).authentication.managedIdentity.identifier-value == azurerm_user_assigned_identity.this.id
    error_message = "Azure's agent logs on as the machines' identity."
  }

  assert {
    condition     = azurerm_monitor_data_collection_rule_association.logs[0].data_collection_rule_id == var.logs.data_collection_rule_id && azurerm_monitor_data_collection_rule_association.agents[0].name == "configurationAccessEndpoint"
    error_message = "It finds its rule, by the endpoint of its network."
  }
}

run "logs_with_a_way_out_need_no_endpoint" {
  variables {
    logs = { data_collection_rule_id = "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Insights/dataCollectionRules/kv-syslog" }
  }

  assert {
    condition     = length(azurerm_monitor_data_collection_rule_association.logs) == 1 && length(azurerm_monitor_data_collection_rule_association.agents) == 0
    error_message = "The agent asks the public one."
  }
}
