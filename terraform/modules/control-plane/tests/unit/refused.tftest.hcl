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
  }
  private_dns_zone_ids = {
    postgres = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/privateDnsZones/kv.private.postgres.database.azure.com"
    vault    = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/privateDnsZones/privatelink.vaultcore.azure.net"
  }
  secrets = { database_password = "0123456789012345678901234567890123456789012" }
}

run "a_name_too_long_for_a_vault" {
  command = plan
  variables {
    name = "a-control-plane-of-25-let"
  }
  expect_failures = [var.name]
}

run "a_host_outside_of_its_zone" {
  command = plan
  variables {
    private_dns_zone_ids = {
      postgres = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/privateDnsZones/kv.private.postgres.database.azure.com"
      vault    = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/privateDnsZones/privatelink.vaultcore.azure.net"
      host     = "/subscriptions/0/resourceGroups/dns/providers/Microsoft.Network/privateDnsZones/other.example.com"
    }
  }
  expect_failures = [var.private_dns_zone_ids]
}

run "a_zone_that_azure_takes_for_no_database" {
  command = plan
  variables {
    private_dns_zone_ids = {
      postgres = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/privateDnsZones/kv.example.com"
      vault    = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/privateDnsZones/privatelink.vaultcore.azure.net"
    }
  }
  expect_failures = [var.private_dns_zone_ids]
}

run "machines_without_subnet" {
  command = plan
  variables {
    host_record_enabled = false
    machines            = { source_image_id = "/subscriptions/0/resourceGroups/i/providers/Microsoft.Compute/images/kv", ssh_public_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBdsCRBhYQcLzfV0dDKEe3hdCWFCYqMKCPQ2SYFBo9+7 admin" }
  }
  expect_failures = [var.subnet_ids]
}

run "machines_whose_name_nobody_finds" {
  command = plan
  variables {
    machines   = { source_image_id = "/subscriptions/0/resourceGroups/i/providers/Microsoft.Compute/images/kv", ssh_public_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBdsCRBhYQcLzfV0dDKEe3hdCWFCYqMKCPQ2SYFBo9+7 admin" }
    subnet_ids = { postgres = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/virtualNetworks/kv/subnets/p", endpoints = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/virtualNetworks/kv/subnets/e", data = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/virtualNetworks/kv/subnets/d" }
  }
  expect_failures = [var.host_record_enabled]
}

run "a_single_machine" {
  command = plan
  variables {
    host_record_enabled = false
    machines            = { source_image_id = "/subscriptions/0/resourceGroups/i/providers/Microsoft.Compute/images/kv", ssh_public_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBdsCRBhYQcLzfV0dDKEe3hdCWFCYqMKCPQ2SYFBo9+7 admin", instances = 1 }
    subnet_ids          = { postgres = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/virtualNetworks/kv/subnets/p", endpoints = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/virtualNetworks/kv/subnets/e", data = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/virtualNetworks/kv/subnets/d" }
  }
  expect_failures = [var.machines]
}

run "high_availability_of_a_burstable_size" {
  command = plan
  variables {
    database = { sku_name = "B_Standard_B2s" }
  }
  expect_failures = [var.database]
}

run "a_postgresql_that_is_too_old" {
  command = plan
  variables {
    database = { version = "14" }
  }
  expect_failures = [var.database]
}

run "a_size_that_azure_does_not_have" {
  command = plan
  variables {
    database = { storage_mb = 100000 }
  }
  expect_failures = [var.database]
}

run "a_login_that_azure_keeps_for_itself" {
  command = plan
  variables {
    database = { administrator_login = "admin" }
  }
  expect_failures = [var.database]
}

run "a_short_password" {
  command = plan
  variables {
    secrets = { database_password = "hunter2" }
  }
  expect_failures = [var.secrets]
}

run "an_admin_token_of_another_form" {
  command = plan
  variables {
    secrets = { database_password = "0123456789012345678901234567890123456789012", admin_token = "secret" }
  }
  expect_failures = [var.secrets]
}

run "a_vault_for_the_internet" {
  command = plan
  variables {
    key_vault = { allowed_ips = ["0.0.0.0/0"] }
  }
  expect_failures = [var.key_vault]
}

run "front_door_for_everybody" {
  command = plan
  variables {
    front_door = { allowed_ips = [] }
  }
  expect_failures = [var.front_door]
}

run "a_secret_among_settings" {
  command = plan
  variables {
    settings = { KVSTORE_DB_PASSWORD = "x" }
  }
  expect_failures = [var.settings]
}

run "private_link_for_everybody" {
  command = plan
  variables {
    private_link = { auto_approval_subscription_ids = ["*"] }
  }
  expect_failures = [var.private_link]
}

run "oidc_in_clear" {
  command = plan
  variables {
    oidc = { issuer = "http://login.example.com" }
  }
  expect_failures = [var.oidc]
}

run "logs_that_go_nowhere" {
  command = plan
  variables {
    diagnostic_settings = { logs = {} }
  }
  expect_failures = [var.diagnostic_settings]
}

run "a_version_that_is_no_number_of_a_version" {
  command = plan
  variables {
    secrets_version = 0
  }
  expect_failures = [var.secrets_version]
}

run "front_door_without_private_link" {
  command = plan
  variables {
    front_door = { allowed_ips = ["203.0.113.7"] }
  }
  expect_failures = [var.subnet_ids]
}

run "a_location_for_people" {
  command = plan
  variables {
    location = "Germany West Central"
  }
  expect_failures = [var.location]
}

run "a_resource_group_by_its_id" {
  command = plan
  variables {
    resource_group_name = "/subscriptions/0/resourceGroups/kv"
  }
  expect_failures = [var.resource_group_name]
}

run "a_zone_in_which_no_name_of_a_vault_is_looked_up" {
  command = plan
  variables {
    private_dns_zone_ids = {
      postgres = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/privateDnsZones/kv.private.postgres.database.azure.com"
      vault    = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/privateDnsZones/kv.example.com"
    }
  }
  expect_failures = [var.private_dns_zone_ids]
}

run "oidc_without_a_way_to_its_issuer" {
  command = plan
  variables {
    subnet_ids = {
      postgres  = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/virtualNetworks/kv/subnets/postgres"
      endpoints = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/virtualNetworks/kv/subnets/endpoints"
      data      = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/virtualNetworks/kv/subnets/data"
    }
    host_record_enabled = false
    machines = {
      source_image_id = "/subscriptions/0/resourceGroups/images/providers/Microsoft.Compute/galleries/kv/images/control-plane/versions/1.0.0"
      ssh_public_key  = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBdsCRBhYQcLzfV0dDKEe3hdCWFCYqMKCPQ2SYFBo9+7 admin"
    }
    oidc = { issuer = "https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555/v2.0" }
  }
  expect_failures = [var.outbound_access]
}

run "more_tags_than_a_secret_takes" {
  command = plan
  variables {
    tags = { for index in range(16) : "tag-${index}" => "value" }
  }
  expect_failures = [var.tags]
}

run "a_setting_of_the_data_planes" {
  command = plan
  variables {
    settings = { KVSTORE_MEMORY_TIER_SIZE = "1G" }
  }
  expect_failures = [var.settings]
}

run "a_setting_that_is_a_switch" {
  command = plan
  variables {
    settings = { KVSTORE_OPEN_METRICS = "yes" }
  }
  expect_failures = [var.settings]
}

run "metrics_to_another_address_are_refused" {
  command = plan

  variables {
    metrics = { remote_write_url = "https://kv-dce.germanywestcentral-1.metrics.ingest.monitor.azure.com" }
  }

  expect_failures = [var.metrics]
}

run "logs_by_the_rules_name_are_refused" {
  command = plan

  variables {
    logs = { data_collection_rule_id = "kv-syslog" }
  }

  expect_failures = [var.logs]
}

run "machines_on_a_replica" {
  command = plan
  variables {
    subnet_ids = {
      postgres  = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/virtualNetworks/kv/subnets/postgres"
      endpoints = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/virtualNetworks/kv/subnets/endpoints"
      data      = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/virtualNetworks/kv/subnets/data"
    }
    host_record_enabled = false
    machines            = { source_image_id = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Compute/galleries/kv/images/node/versions/1.4.0", ssh_public_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBdsCRBhYQcLzfV0dDKEe3hdCWFCYqMKCPQ2SYFBo9+7 admin" }
    database            = { replica = { source_server_id = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.DBforPostgreSQL/flexibleServers/kv-control-pg" } }
  }
  expect_failures = [var.database]
}
