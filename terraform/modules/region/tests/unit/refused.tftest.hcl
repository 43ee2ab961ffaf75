mock_provider "azurerm" {
  source = "../../testing/mocks"
}

variables {
  name          = "eu-1"
  location      = "germanywestcentral"
  address_space = "10.64.0.0/16"
}

run "a_name_with_capitals" {
  command = plan

  variables {
    name = "EU-1"
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

run "a_range_that_is_too_small" {
  command = plan

  variables {
    address_space = "10.64.0.0/22"
  }

  expect_failures = [var.address_space]
}

run "a_range_of_ipv6" {
  command = plan

  variables {
    address_space = "fd00::/48"
  }

  expect_failures = [var.address_space]
}

run "a_range_that_begins_elsewhere" {
  command = plan

  variables {
    address_space = "10.64.3.0/16"
  }

  expect_failures = [var.address_space]
}

run "a_group_that_exists_and_has_no_name" {
  command = plan

  variables {
    create_resource_group = false
  }

  expect_failures = [var.resource_group_name]
}

run "a_group_whose_name_ends_with_a_point" {
  command = plan

  variables {
    resource_group_name = "rg."
  }

  expect_failures = [var.resource_group_name]
}

run "a_subnet_outside_the_range" {
  command = plan

  variables {
    subnet_address_prefixes = { data = "10.65.0.0/20" }
  }

  expect_failures = [var.subnet_address_prefixes]
}

run "a_subnet_that_is_no_range" {
  command = plan

  variables {
    subnet_address_prefixes = { link = "10.64.0.0" }
  }

  expect_failures = [var.subnet_address_prefixes]
}

run "a_peering_by_name" {
  command = plan

  variables {
    peerings = { other = { virtual_network_id = "vnet-other", address_spaces = ["10.65.0.0/16"] } }
  }

  expect_failures = [var.peerings]
}

run "a_peering_that_overlaps" {
  command = plan

  variables {
    peerings = { other = { virtual_network_id = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v", address_spaces = ["10.0.0.0/8"] } }
  }

  expect_failures = [var.peerings]
}

run "a_peering_that_lies_within" {
  command = plan

  variables {
    peerings = { other = { virtual_network_id = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v", address_spaces = ["10.64.200.0/24"] } }
  }

  expect_failures = [var.peerings]
}

run "a_peering_without_ranges" {
  command = plan

  variables {
    peerings = { other = { virtual_network_id = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v", address_spaces = [] } }
  }

  expect_failures = [var.peerings]
}

run "ports_below_1024" {
  command = plan

  variables {
    data_plane_ports = { first = 443, last = 444 }
  }

  expect_failures = [var.data_plane_ports]
}

run "metrics_for_everybody" {
  command = plan

  variables {
    monitoring_address_prefixes = ["VirtualNetwork"]
  }

  expect_failures = [var.monitoring_address_prefixes]
}

run "ssh_from_everywhere" {
  command = plan

  variables {
    ssh_address_prefixes = ["0.0.0.0/0"]
  }

  expect_failures = [var.ssh_address_prefixes]
}

run "a_domain_with_a_point_at_its_end" {
  command = plan

  variables {
    data_plane_domain = "kv.example.com."
  }

  expect_failures = [var.data_plane_domain]
}

run "a_zone_of_another_kind" {
  command = plan

  variables {
    existing_private_dns_zone_ids = { web = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/privateDnsZones/z" }
  }

  expect_failures = [var.existing_private_dns_zone_ids]
}

run "a_zone_by_name" {
  command = plan

  variables {
    existing_private_dns_zone_ids = { blob = "privatelink.blob.core.windows.net" }
  }

  expect_failures = [var.existing_private_dns_zone_ids]
}

run "a_gateway_in_zone_4" {
  command = plan

  variables {
    nat_gateway = { zone = "4" }
  }

  expect_failures = [var.nat_gateway]
}

run "two_workspaces" {
  command = plan

  variables {
    log_analytics_workspace_id = "/subscriptions/s/resourceGroups/g/providers/Microsoft.OperationalInsights/workspaces/w"
  }

  expect_failures = [var.log_analytics_workspace_id]
}

run "logs_for_a_week" {
  command = plan

  variables {
    log_retention_in_days = 7
  }

  expect_failures = [var.log_retention_in_days]
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

run "subnets_that_overlap" {
  command = plan

  variables {
    subnet_address_prefixes = { data = "10.64.16.0/20" }
  }

  expect_failures = [azurerm_virtual_network.this]
}

run "a_lock_that_lets_no_machine_join" {
  command = plan

  variables {
    lock = { kind = "ReadOnly" }
  }

  expect_failures = [var.lock]
}

run "all_addresses_for_admins" {
  command = plan

  variables {
    admin_address_prefixes    = ["0.0.0.0/0"]
    endpoint_address_prefixes = ["0.0.0.0/0"]
    database_address_prefixes = ["0.0.0.0/0"]
  }

  expect_failures = [var.admin_address_prefixes, var.endpoint_address_prefixes, var.database_address_prefixes]
}

run "more_tags_than_a_zone_takes" {
  command = plan

  variables {
    tags = { for index in range(16) : "tag-${index}" => "value" }
  }

  expect_failures = [var.tags]
}
