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

run "a_name_that_ends_with_a_dash" {
  command = plan

  variables {
    name = "eu-1-"
  }

  expect_failures = [var.name]
}

run "a_location_of_the_portal" {
  command = plan

  variables {
    location = "Germany West Central"
  }

  expect_failures = [var.location]
}

run "a_group_by_id" {
  command = plan

  variables {
    resource_group_name = "/subscriptions/s/resourceGroups/rg"
  }

  expect_failures = [var.resource_group_name]
}

run "a_subnet_by_name" {
  command = plan

  variables {
    subnet_id = "data"
  }

  expect_failures = [var.subnet_id]
}

run "a_zone_by_name" {
  command = plan

  variables {
    private_dns_zone_id = "eu-1.kv.internal"
  }

  expect_failures = [var.private_dns_zone_id]
}

run "a_public_image" {
  command = plan

  variables {
    source_image_id = "Canonical:ubuntu-24_04-lts:server:latest"
  }

  expect_failures = [var.source_image_id]
}

run "the_latest_image" {
  command = plan

  variables {
    source_image_id = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/galleries/kv/images/node/versions/latest"
  }

  expect_failures = [var.source_image_id]
}

run "a_key_that_is_private" {
  command = plan

  variables {
    admin_ssh_public_key = "-----BEGIN OPENSSH PRIVATE KEY-----"
  }

  expect_failures = [var.admin_ssh_public_key]
}

run "the_rest_address" {
  command = plan

  variables {
    control_plane_endpoint = "https://control.example.com"
  }

  expect_failures = [var.control_plane_endpoint]
}

run "a_region_with_blanks" {
  command = plan

  variables {
    kvstore_region = "eu 1"
  }

  expect_failures = [var.kvstore_region]
}

run "a_cluster_with_blanks" {
  command = plan

  variables {
    kvstore_cluster = "eu 1 a"
  }

  expect_failures = [var.kvstore_cluster]
}

run "a_vault_by_url" {
  command = plan

  variables {
    key_vault_id = "https://kv-eu-1.vault.azure.net"
  }

  expect_failures = [var.key_vault_id]
}

run "a_suffix_with_a_slash" {
  command = plan

  variables {
    key_vault_dns_suffix = "vault.azure.net/"
  }

  expect_failures = [var.key_vault_dns_suffix]
}

run "a_secret_with_a_dot" {
  command = plan

  variables {
    secret_names = { certificate = "kv.tls" }
  }

  expect_failures = [var.secret_names]
}

run "no_machine" {
  command = plan

  variables {
    instances = 0
  }

  expect_failures = [var.instances]
}

run "half_a_machine" {
  command = plan

  variables {
    instances = 2.5
  }

  expect_failures = [var.instances]
}

run "a_size_without_standard" {
  command = plan

  variables {
    sku_name = "FX96mds_v2"
  }

  expect_failures = [var.sku_name]
}

run "a_fourth_zone" {
  command = plan

  variables {
    zones = ["1", "4"]
  }

  expect_failures = [var.zones]
}

run "nine_numa_nodes" {
  command = plan

  variables {
    numa_node_count = 9
  }

  expect_failures = [var.numa_node_count]
}

run "a_port_of_root" {
  command = plan

  variables {
    first_port = 443
  }

  expect_failures = [var.first_port]
}

run "nine_cards" {
  command = plan

  variables {
    network_interface_count = 9
  }

  expect_failures = [var.network_interface_count]
}

run "an_address_that_is_none" {
  command = plan

  variables {
    frontend_private_ip_address = "10.64.0"
  }

  expect_failures = [var.frontend_private_ip_address]
}

run "a_link_subnet_by_name" {
  command = plan

  variables {
    private_link = { subnet_id = "link", subnet_address_prefix = "10.64.17.0/24" }
  }

  expect_failures = [var.private_link]
}

run "a_link_prefix_that_is_none" {
  command = plan

  variables {
    private_link = { subnet_id = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/link", subnet_address_prefix = "10.64.17.0" }
  }

  expect_failures = [var.private_link]
}

run "nine_addresses_of_private_link" {
  command = plan

  variables {
    private_link = { subnet_id = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/link", subnet_address_prefix = "10.64.17.0/24", nat_address_count = 9 }
  }

  expect_failures = [var.private_link]
}

run "approval_without_visibility" {
  command = plan

  variables {
    private_link = { subnet_id = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/link", subnet_address_prefix = "10.64.17.0/24", auto_approval_subscription_ids = ["a"], visibility_subscription_ids = ["b"] }
  }

  expect_failures = [var.private_link]
}

run "a_disk_that_is_none" {
  command = plan

  variables {
    disk_tier = { devices = ["nvme1n1"] }
  }

  expect_failures = [var.disk_tier]
}

run "a_size_without_unit" {
  command = plan

  variables {
    disk_tier = { size = "800" }
  }

  expect_failures = [var.disk_tier]
}

run "a_setting_of_another_program" {
  command = plan

  variables {
    settings = { JAVA_HOME = "/opt/jdk" }
  }

  expect_failures = [var.settings]
}

run "a_setting_with_a_line_break" {
  command = plan

  variables {
    settings = { KVSTORE_LOG = "a\nKVSTORE_B=1" }
  }

  expect_failures = [var.settings]
}

run "a_flag_with_a_blank" {
  command = plan

  variables {
    node_flags = ["--host 10.64.0.4"]
  }

  expect_failures = [var.node_flags]
}

run "a_batch_of_nothing" {
  command = plan

  variables {
    upgrade = { max_batch_percent = 0 }
  }

  expect_failures = [var.upgrade]
}

run "a_pause_in_minutes" {
  command = plan

  variables {
    upgrade = { pause = "5m" }
  }

  expect_failures = [var.upgrade]
}

run "a_short_notice" {
  command = plan

  variables {
    termination_notice_minutes = 1
  }

  expect_failures = [var.termination_notice_minutes]
}

run "a_repair_at_once" {
  command = plan

  variables {
    instance_repair_grace_minutes = 1
  }

  expect_failures = [var.instance_repair_grace_minutes]
}

run "a_spinning_disk" {
  command = plan

  variables {
    os_disk = { storage_account_type = "Standard_LRS" }
  }

  expect_failures = [var.os_disk]
}

run "a_reservation_by_name" {
  command = plan

  variables {
    capacity_reservation_group_id = "kv"
  }

  expect_failures = [var.capacity_reservation_group_id]
}

run "an_identity_of_the_system" {
  command = plan

  variables {
    managed_identities = { system_assigned = true }
  }

  expect_failures = [var.managed_identities]
}

run "a_condition_without_a_version" {
  command = plan

  variables {
    role_assignments = { a = { role_definition_id_or_name = "Reader", principal_id = "p", condition = "true" } }
  }

  expect_failures = [var.role_assignments]
}

run "diagnostics_to_nowhere" {
  command = plan

  variables {
    diagnostic_settings = { a = {} }
  }

  expect_failures = [var.diagnostic_settings]
}

run "an_unknown_lock" {
  command = plan

  variables {
    lock = { kind = "Delete" }
  }

  expect_failures = [var.lock]
}

run "an_authority_with_its_key" {
  command = plan

  variables {
    certificate_authorities = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----"
  }

  expect_failures = [var.certificate_authorities]
}

run "three_disks_for_two_data_planes" {
  command = plan

  variables {
    disk_tier = { devices = ["/dev/nvme1n1", "/dev/nvme2n1", "/dev/nvme3n1"] }
  }

  expect_failures = [var.disk_tier]
}

run "an_address_that_is_not_in_the_zones_of_machines" {
  command = plan

  variables {
    frontend_zones = ["1", "2"]
  }

  expect_failures = [var.frontend_zones]
}

run "a_setting_that_does_not_exist" {
  command = plan

  variables {
    settings = { KVSTORE_MEMORY_TEIR_SIZE = "1G" }
  }

  expect_failures = [var.settings]
}

run "a_secret_among_settings" {
  command = plan

  variables {
    settings = { KVSTORE_JOIN_TOKEN = "kvj_of-no-value" }
  }

  expect_failures = [var.settings]
}

run "a_setting_of_another_type" {
  command = plan

  variables {
    settings = { KVSTORE_MAX_OPERATIONS = "many" }
  }

  expect_failures = [var.settings]
}

run "a_setting_out_of_range" {
  command = plan

  variables {
    settings = { KVSTORE_TRANSFER_MEMORY = "64M" }
  }

  expect_failures = [var.settings]
}

run "a_private_link_in_the_subnet_of_the_machines" {
  command = plan

  variables {
    private_link = {
      subnet_id             = "/subscriptions/s/resourceGroups/rg-eu-1/providers/Microsoft.Network/virtualNetworks/vnet-eu-1/subnets/data"
      subnet_address_prefix = "10.64.0.0/20"
    }
  }

  expect_failures = [var.private_link]
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
