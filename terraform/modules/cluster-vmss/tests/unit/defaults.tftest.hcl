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

run "each_data_plane_has_its_rule_and_its_probe" {
  assert {
    condition     = { for key, rule in azurerm_lb_rule.this : key => [rule.frontend_port, rule.backend_port] } == { "8085" = [8085, 8085], "8086" = [8086, 8086] }
    error_message = "A port leads to the data plane at the same port."
  }

  assert {
    condition     = { for key, probe in azurerm_lb_probe.this : key => probe.port } == { "8085" = 9085, "8086" = 9086 }
    error_message = "Health is 1,000 above."
  }

  assert {
    condition     = alltrue([for probe in azurerm_lb_probe.this : probe.protocol == "Https" && probe.request_path == "/q/health/ready" && probe.interval_in_seconds * probe.probe_threshold == 10])
    error_message = "A data plane that is not ready gets no new connections after 10 s."
  }

  assert {
    condition     = alltrue([for rule in azurerm_lb_rule.this : rule.tcp_reset_enabled && rule.disable_outbound_snat && rule.protocol == "Tcp"])
    error_message = "Both ends learn of connections that the balancer gives up, and machines do not go out through it."
  }
}

run "machines_are_spread_and_healed" {
  assert {
    condition     = azurerm_orchestrated_virtual_machine_scale_set.this.zones == toset(["1", "2", "3"]) && azurerm_orchestrated_virtual_machine_scale_set.this.zone_balance && azurerm_orchestrated_virtual_machine_scale_set.this.platform_fault_domain_count == 1
    error_message = "Three zones, evenly."
  }

  assert {
    condition     = jsondecode(one([for extension in azurerm_orchestrated_virtual_machine_scale_set.this.extension : extension if extension.name == "health"]).settings) == { protocol = "http", port = 9084, requestPath = "/q/health/ready", intervalInSeconds = 5, numberOfProbes = 3 } && one([for extension in azurerm_orchestrated_virtual_machine_scale_set.this.extension : extension if extension.name == "health"]).type_handler_version == "1.0"
    error_message = "Azure asks for the health of the whole machine, and 200 means good."
  }

  assert {
    condition     = azurerm_orchestrated_virtual_machine_scale_set.this.termination_notification[0].timeout == "PT5M" && azurerm_orchestrated_virtual_machine_scale_set.this.automatic_instance_repair[0].grace_period == "PT30M"
    error_message = "A machine is told 5 minutes before it goes, and one that is ill for half an hour is replaced."
  }
}

run "one_of_three_machines_is_upgraded_at_a_time" {
  assert {
    condition     = azurerm_orchestrated_virtual_machine_scale_set.this.upgrade_mode == "Rolling" && azurerm_orchestrated_virtual_machine_scale_set.this.rolling_upgrade_policy[0].max_batch_instance_percent == 20 && azurerm_orchestrated_virtual_machine_scale_set.this.rolling_upgrade_policy[0].max_unhealthy_instance_percent == 50
    error_message = "A fifth of three machines is none: the upgrade would never begin."
  }
}

run "the_first_card_takes_connections" {
  assert {
    condition     = length(azurerm_orchestrated_virtual_machine_scale_set.this.network_interface) == 1 && azurerm_orchestrated_virtual_machine_scale_set.this.network_interface[0].enable_accelerated_networking && azurerm_orchestrated_virtual_machine_scale_set.this.network_interface[0].primary
    error_message = "One card, accelerated."
  }
}

run "the_identity_may_read_secrets_and_nothing_else" {
  assert {
    condition     = azurerm_role_assignment.key_vault[0].role_definition_name == "Key Vault Secrets User" && azurerm_role_assignment.key_vault[0].scope == var.key_vault_id && length(azurerm_role_assignment.this) == 0
    error_message = "The right is the one to read secrets, at this vault."
  }
}

run "no_private_link_unless_asked_for" {
  assert {
    condition     = length(azurerm_private_link_service.this) == 0 && output.private_link_service_alias == null && !strcontains(output.cloud_init, "PROXY_PROTOCOL")
    error_message = "Without Private Link nobody is believed to be a balancer."
  }
}

run "names_are_in_the_zone" {
  assert {
    condition     = azurerm_private_dns_a_record.this.name == "eu-1-a" && azurerm_private_dns_a_record.this.zone_name == "eu-1.kv.internal" && azurerm_private_dns_a_record.this.resource_group_name == "dns"
    error_message = "The zone's name and group are those of its id."
  }

  assert {
    condition     = output.endpoints == ["eu-1-a.eu-1.kv.internal:8085", "eu-1-a.eu-1.kv.internal:8086"] && output.host == "eu-1-a.eu-1.kv.internal" && output.address_patterns == ["*.eu-1.kv.internal:8085-8086"]
    error_message = "Data planes behind the balancer, and the addresses at which they register."
  }
}
