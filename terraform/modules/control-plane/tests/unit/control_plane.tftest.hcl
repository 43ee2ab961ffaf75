mock_provider "azurerm" { source = "../../testing/mocks" }

variables {
  name                = "kv-control"
  location            = "germanywestcentral"
  resource_group_name = "kv"
  entra_tenant_id     = "11111111-2222-3333-4444-555555555555"
  host                = "control.kv.example.com"
  subnet_ids = {
    postgres  = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/virtualNetworks/kv/subnets/postgres"
    endpoints = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/virtualNetworks/kv/subnets/endpoints"
    data      = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/virtualNetworks/kv/subnets/data"
    link      = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/virtualNetworks/kv/subnets/link"
  }
  private_dns_zone_ids = {
    postgres = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/privateDnsZones/kv.private.postgres.database.azure.com"
    vault    = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/privateDnsZones/privatelink.vaultcore.azure.net"
    host     = "/subscriptions/0/resourceGroups/dns/providers/Microsoft.Network/privateDnsZones/kv.example.com"
  }
  secrets = { database_password = "0123456789012345678901234567890123456789012", admin_token = "kva_0123456789012345" }
  machines = {
    source_image_id = "/subscriptions/0/resourceGroups/images/providers/Microsoft.Compute/galleries/kv/images/control-plane/versions/1.0.0"
    ssh_public_key  = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBdsCRBhYQcLzfV0dDKEe3hdCWFCYqMKCPQ2SYFBo9+7 admin"
  }
}

run "a_database_that_survives_a_zone" {
  assert {
    condition     = azurerm_postgresql_flexible_server.this.high_availability[0].mode == "ZoneRedundant" && azurerm_postgresql_flexible_server.this.public_network_access_enabled == false
    error_message = "in two zones, and in the network alone"
  }
  assert {
    condition     = azurerm_postgresql_flexible_server.this.backup_retention_days == 35 && azurerm_management_lock.this[0].lock_level == "CanNotDelete"
    error_message = "backups are kept, and the server is not deleted by mistake"
  }
  assert {
    condition     = azurerm_postgresql_flexible_server.this.administrator_password_wo_version == 1 && azurerm_key_vault_secret.environment.value_wo_version == 1
    error_message = "database and vault get the password in one run"
  }
}

run "a_vault_for_nobody_but_the_network" {
  assert {
    condition     = !azurerm_key_vault.this.public_network_access_enabled && azurerm_key_vault.this.network_acls[0].default_action == "Deny" && azurerm_key_vault.this.purge_protection_enabled
    error_message = "the vault is private, and cannot be purged"
  }
  assert {
    condition     = azurerm_role_assignment.reads_secrets.role_definition_name == "Key Vault Secrets User"
    error_message = "machines read secrets, and no more"
  }
}

run "machines_in_three_zones_behind_a_balancer" {
  assert {
    condition     = azurerm_orchestrated_virtual_machine_scale_set.this[0].instances == 3 && length(azurerm_orchestrated_virtual_machine_scale_set.this[0].zones) == 3 && azurerm_orchestrated_virtual_machine_scale_set.this[0].zone_balance
    error_message = "one in each zone"
  }
  assert {
    condition     = azurerm_orchestrated_virtual_machine_scale_set.this[0].upgrade_mode == "Rolling" && azurerm_orchestrated_virtual_machine_scale_set.this[0].rolling_upgrade_policy[0].max_batch_instance_percent == 34
    error_message = "a new image comes one machine at a time"
  }
  assert {
    condition     = jsondecode(one([for extension in azurerm_orchestrated_virtual_machine_scale_set.this[0].extension : extension if extension.name == "health"]).settings) == { protocol = "https", port = 8080, requestPath = "/q/health/ready", intervalInSeconds = 5, numberOfProbes = 3 } && one([for extension in azurerm_orchestrated_virtual_machine_scale_set.this[0].extension : extension if extension.name == "health"]).type_handler_version == "1.0"
    error_message = "a machine is healthy while it answers 200: later versions want an answer in Azure's words"
  }
  assert {
    condition     = azurerm_lb_rule.this["grpc"].frontend_port == 9090 && azurerm_lb_rule.this["rest"].frontend_port == 8080 && azurerm_lb_probe.this[0].protocol == "Https"
    error_message = "gRPC and REST, as long as it is ready"
  }
  assert {
    condition     = output.grpc_endpoint == "control.kv.example.com:9090" && output.rest_endpoint == "https://control.kv.example.com:8080"
    error_message = "the endpoints are names"
  }
  assert {
    condition     = azurerm_private_dns_a_record.this[0].name == "control" && azurerm_private_dns_a_record.this[0].zone_name == "kv.example.com" && azurerm_private_dns_a_record.this[0].resource_group_name == "dns"
    error_message = "the name is in the zone that was given"
  }
  assert {
    condition     = length(azurerm_private_link_service.this) == 0 && output.private_link_service_alias == null
    error_message = "for this network and its peers alone"
  }
}

run "what_a_machine_does" {
  assert {
    condition     = can(yamldecode(output.cloud_init)) && startswith(output.cloud_init, "#cloud-config")
    error_message = "it is a cloud-init file"
  }
  assert {
    condition = alltrue([for text in ["--jdbc-url jdbc:postgresql://", "sslmode=verify-full&sslrootcert=/etc/ssl/certs/ca-certificates.crt", "--tls-cert /run/kv-secrets/tls.pem"] :
    strcontains(yamldecode(output.cloud_init).write_files[0].content, text)])
    error_message = "the database has to prove who it is, and everything is TLS"
  }
  assert {
    condition     = strcontains(yamldecode(output.cloud_init).write_files[1].content, "--file control-plane-env=/run/kv-secrets/control-plane.env")
    error_message = "secrets come from the vault"
  }
  assert {
    condition     = strcontains(yamldecode(output.cloud_init).write_files[2].content, "EnvironmentFile=/run/kv-secrets/control-plane.env")
    error_message = "and the program reads them"
  }
  assert {
    condition     = !strcontains(output.cloud_init, "0123456789") && !strcontains(output.cloud_init, "kva_")
    error_message = "no secret is in what Azure shows of a machine"
  }
}

run "rotate" {
  variables {
    secrets         = { database_password = "22222222222222222222222" }
    secrets_version = 2
  }
  assert {
    condition     = azurerm_postgresql_flexible_server.this.administrator_password_wo_version == 2 && azurerm_key_vault_secret.environment.value_wo_version == 2
    error_message = "both have the new password in one run"
  }
}

run "scale_out_and_a_new_image" {
  variables {
    machines = {
      source_image_id = "/subscriptions/0/resourceGroups/images/providers/Microsoft.Compute/galleries/kv/images/control-plane/versions/2.0.0"
      ssh_public_key  = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBdsCRBhYQcLzfV0dDKEe3hdCWFCYqMKCPQ2SYFBo9+7 admin"
      instances       = 5
    }
  }
  assert {
    condition     = azurerm_orchestrated_virtual_machine_scale_set.this[0].instances == 5 && azurerm_orchestrated_virtual_machine_scale_set.this[0].rolling_upgrade_policy[0].max_batch_instance_percent == 34
    error_message = "the policy stays: azurerm would replace the scale set"
  }
}

run "other_networks_by_private_link" {
  variables {
    private_link = { auto_approval_subscription_ids = ["11111111-2222-3333-4444-555555555555"] }
  }
  assert {
    condition     = !azurerm_private_link_service.this[0].proxy_protocol_enabled && azurerm_private_link_service.this[0].auto_approval_subscription_ids == toset(["11111111-2222-3333-4444-555555555555"])
    error_message = "other subscriptions ask first; REST reads no header of the PROXY protocol"
  }
}

run "admins_from_outside_by_front_door" {
  variables {
    front_door = { allowed_ips = ["203.0.113.0/28"], name = "kv-before" }
    oidc       = { issuer = "https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555/v2.0" }

    outbound_access = true
    settings        = { KVSTORE_MAX_CONNECTIONS = "5000" }
  }
  assert {
    condition     = length(azurerm_private_link_service.this) == 1 && azurerm_cdn_frontdoor_firewall_policy.this[0].custom_rule[0].match_condition[0].negation_condition && azurerm_cdn_frontdoor_firewall_policy.this[0].custom_rule[0].action == "Block"
    error_message = "whoever is not named is blocked"
  }
  assert {
    condition     = azurerm_cdn_frontdoor_route.this[0].patterns_to_match == tolist(["/v1/*"]) && azurerm_cdn_frontdoor_route.this[0].forwarding_protocol == "HttpsOnly"
    error_message = "the API alone, over TLS all the way"
  }
  assert {
    condition     = azurerm_cdn_frontdoor_profile.this[0].name == "kv-before-fd" && azurerm_cdn_frontdoor_endpoint.this[0].name == "kv-before"
    error_message = "A control plane that has moved keeps its URL."
  }
  assert {
    condition     = strcontains(output.cloud_init, "KVSTORE_OIDC_ENABLED=true") && strcontains(output.cloud_init, "KVSTORE_MAX_CONNECTIONS=5000")
    error_message = "admins log on by OIDC, and settings are passed on"
  }
}

run "on_kubernetes_there_are_no_machines" {
  variables {
    machines   = null
    subnet_ids = { postgres = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/virtualNetworks/kv/subnets/postgres", endpoints = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/virtualNetworks/kv/subnets/endpoints" }
    database   = { sku_name = "B_Standard_B2s", high_availability = "None" }
    lock       = null
    diagnostic_settings = {
      logs = { workspace_resource_id = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.OperationalInsights/workspaces/kv" }
    }
  }
  assert {
    condition     = length(azurerm_orchestrated_virtual_machine_scale_set.this) == 0 && length(azurerm_lb_rule.this) == 0 && length(azurerm_private_link_service.this) == 0
    error_message = "neither machines nor a balancer"
  }
  assert {
    condition     = output.grpc_endpoint == null && startswith(output.jdbc_url, "jdbc:postgresql://")
    error_message = "the chart gets the database"
  }
  assert {
    condition     = length(azurerm_postgresql_flexible_server.this.high_availability) == 0 && length(azurerm_management_lock.this) == 0
    error_message = "a small database for trying out"
  }
  assert {
    condition     = keys(azurerm_monitor_diagnostic_setting.this) == ["key-vault/logs", "postgresql/logs"]
    error_message = "logs of the database and of the vault"
  }
}

run "the_vault_is_found_by_its_private_name" {
  assert {
    condition     = one(azurerm_private_endpoint.key_vault.private_dns_zone_group[0].private_dns_zone_ids) == var.private_dns_zone_ids.vault
    error_message = "Without a record machines resolve the vault to its public address, which refuses them."
  }
}

run "a_copy_of_backups_lies_in_another_location" {
  assert {
    condition     = azurerm_postgresql_flexible_server.this.geo_redundant_backup_enabled
    error_message = "germanywestcentral has a pair."
  }
}

run "no_copy_of_backups_where_a_location_has_no_pair" {
  variables {
    location = "polandcentral"
  }
  assert {
    condition     = !azurerm_postgresql_flexible_server.this.geo_redundant_backup_enabled
    error_message = "Azure refuses copies there."
  }
}

run "zones_of_machines_are_not_those_of_the_balancer" {
  variables {
    machines = {
      source_image_id = "/subscriptions/0/resourceGroups/images/providers/Microsoft.Compute/galleries/kv/images/control-plane/versions/1.0.0"
      ssh_public_key  = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBdsCRBhYQcLzfV0dDKEe3hdCWFCYqMKCPQ2SYFBo9+7 admin"
      zones           = ["1", "2"]
    }
  }
  assert {
    condition     = azurerm_lb.this[0].frontend_ip_configuration[0].zones == toset(["1", "2", "3"]) && azurerm_orchestrated_virtual_machine_scale_set.this[0].zones == toset(["1", "2"])
    error_message = "A zone that is added later must not replace the balancer."
  }
}

run "a_database_that_is_restored" {
  variables {
    database_name = "kv-control-pg2"
    database      = { restore = { source_server_id = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.DBforPostgreSQL/flexibleServers/kv-control-pg", time = "2026-11-28T10:00:00Z" } }
  }
  assert {
    condition     = azurerm_postgresql_flexible_server.this.name == "kv-control-pg2" && azurerm_postgresql_flexible_server.this.create_mode == "PointInTimeRestore" && azurerm_postgresql_flexible_server.this.point_in_time_restore_time_in_utc == "2026-11-28T10:00:00Z"
    error_message = "A new server, from the old one's backups."
  }
  assert {
    condition     = length(azurerm_postgresql_flexible_server_database.this) == 0
    error_message = "The database is in the backup."
  }
}

run "a_database_that_is_restored_in_another_location" {
  variables {
    database = { restore = { source_server_id = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.DBforPostgreSQL/flexibleServers/kv-control-pg", time = "2026-11-28T10:00:00Z", other_location = true } }
  }
  assert {
    condition     = azurerm_postgresql_flexible_server.this.create_mode == "GeoRestore" && azurerm_postgresql_flexible_server.this.point_in_time_restore_time_in_utc == "2026-11-28T10:00:00Z"
    error_message = "From the copy of backups."
  }
}

run "a_standby_is_a_replica_with_the_secrets_and_without_machines" {
  variables {
    machines = null
    database = { replica = { source_server_id = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.DBforPostgreSQL/flexibleServers/kv-control-pg" } }
  }
  assert {
    condition     = azurerm_postgresql_flexible_server.this.create_mode == "Replica" && azurerm_postgresql_flexible_server.this.replication_role == null && length(azurerm_postgresql_flexible_server.this.high_availability) == 0 && !azurerm_postgresql_flexible_server.this.geo_redundant_backup_enabled
    error_message = "Azure makes a replica without high availability and without a copy of backups."
  }
  assert {
    condition     = length(azurerm_postgresql_flexible_server_database.this) == 0 && length(azurerm_postgresql_flexible_server_configuration.this) == 0
    error_message = "The source has them."
  }
  assert {
    condition     = length(azurerm_orchestrated_virtual_machine_scale_set.this) == 0 && length(azurerm_private_dns_a_record.this) == 0 && azurerm_key_vault_secret.environment.name == "control-plane-env"
    error_message = "Ready to start, and not started."
  }
}

run "a_standby_takes_over" {
  variables {
    database = { replica = { source_server_id = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.DBforPostgreSQL/flexibleServers/kv-control-pg", promoted = true } }
  }
  assert {
    condition     = azurerm_postgresql_flexible_server.this.create_mode == "Replica" && azurerm_postgresql_flexible_server.this.replication_role == "None" && azurerm_postgresql_flexible_server.this.high_availability[0].mode == "ZoneRedundant"
    error_message = "A server of its own, highly available."
  }
  assert {
    condition     = length(azurerm_orchestrated_virtual_machine_scale_set.this) == 1 && length(azurerm_private_dns_a_record.this) == 1
    error_message = "Machines under the control plane's name."
  }
}

run "a_secret_waits_for_the_right_to_write_it" {
  variables {
    key_vault = {
      administrator_principal_ids = { applier = "11111111-2222-3333-4444-555555555555" }
      role_wait_seconds           = 1
    }
  }
  assert {
    condition     = length(terraform_data.secrets_can_be_written) == 1 && azurerm_role_assignment.administers_secrets["applier"].role_definition_name == "Key Vault Administrator"
    error_message = "Azure refuses a secret for minutes after its right was given"
  }
}

run "a_control_plane_is_scraped_by_its_own_machine" {
  variables {
    metrics = { remote_write_url = "https://kv-dce.germanywestcentral-1.metrics.ingest.monitor.azure.com/dataCollectionRules/dcr-0/streams/Microsoft-PrometheusMetrics/api/v1/write?api-version=2023-04-24" }
  }
  assert {
    condition = yamldecode(one([for file in yamldecode(output.cloud_init).write_files : file.content if file.path == "/etc/kv/metrics.yaml"])).scrape_configs == [{
      job_name       = "kvstore-control-plane"
      metrics_path   = "/q/metrics"
      scheme         = "https"
      tls_config     = { insecure_skip_verify = true }
      static_configs = [{ targets = ["127.0.0.1:8080"], labels = { instance = "{hostname}:8080" } }]
    }]
    error_message = "by the loopback, with the job that alerts know"
  }
  assert {
    condition     = contains(yamldecode(output.cloud_init).runcmd, ["systemctl", "enable", "--now", "kv-metrics"]) && output.identity_principal_id == azurerm_user_assigned_identity.this.principal_id
    error_message = "the unit starts, and sends as the identity that may"
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
    condition     = jsondecode(one([for extension in azurerm_orchestrated_virtual_machine_scale_set.this[0].extension : extension.settings if extension.type == "AzureMonitorLinuxAgent"])).authentication.managedIdentity.identifier-value == azurerm_user_assigned_identity.this.id
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
