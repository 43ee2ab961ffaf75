mock_provider "azurerm" {
  mock_resource "azurerm_private_endpoint" {
    defaults = {
      private_service_connection = { private_ip_address = "10.9.0.4" }
    }
  }
}

variables {
  name                = "acme"
  location            = "germanywestcentral"
  resource_group_name = "kv-acme"
}

run "clients_reach_a_cluster_by_its_name" {
  variables {
    service_endpoints = {
      "eu-1-a" = {
        private_link_service_alias = "kv.11111111-2222-3333-4444-555555555555.germanywestcentral.azure.privatelinkservice"
        subnet_id                  = "/subscriptions/0/resourceGroups/acme/providers/Microsoft.Network/virtualNetworks/acme/subnets/clients"
        host                       = "eu-1-a.kv.example.com"
        virtual_network_ids        = { acme = "/subscriptions/0/resourceGroups/acme/providers/Microsoft.Network/virtualNetworks/acme" }
      }
      "eu-1-b" = {
        private_link_service_id = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/privateLinkServices/kv"
        subnet_id               = "/subscriptions/0/resourceGroups/acme/providers/Microsoft.Network/virtualNetworks/acme/subnets/clients"
        host                    = "eu-1-b.kv.example.com"
        virtual_network_ids     = { acme = "/subscriptions/0/resourceGroups/acme/providers/Microsoft.Network/virtualNetworks/acme" }
      }
      control = {
        private_link_service_id = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/privateLinkServices/control"
        subnet_id               = "/subscriptions/0/resourceGroups/acme/providers/Microsoft.Network/virtualNetworks/acme/subnets/clients"
      }
    }
  }
  assert {
    condition     = keys(output.private_dns_zone_ids) == ["kv.example.com"] && length(azurerm_private_dns_zone_virtual_network_link.service) == 1
    error_message = "one zone, linked once, for all names below it"
  }
  assert {
    condition     = azurerm_private_dns_a_record.service["eu-1-a"].name == "eu-1-a" && azurerm_private_dns_a_record.service["eu-1-b"].zone_name == "kv.example.com"
    error_message = "a record for each host"
  }
  assert {
    condition     = length(azurerm_private_dns_a_record.service) == 2 && length(azurerm_private_endpoint.service) == 3
    error_message = "an endpoint without host has no record"
  }
  assert {
    condition     = azurerm_private_endpoint.service["eu-1-a"].private_service_connection[0].is_manual_connection
    error_message = "the owner of the cluster approves"
  }
  assert {
    condition     = output.hosts == { "eu-1-a" = "eu-1-a.kv.example.com", "eu-1-b" = "eu-1-b.kv.example.com" }
    error_message = "the hosts are those that clients use"
  }
}

run "one_side_of_a_peering" {
  variables {
    peerings = {
      eu = {
        virtual_network_id        = "/subscriptions/0/resourceGroups/acme-net/providers/Microsoft.Network/virtualNetworks/acme"
        remote_virtual_network_id = "/subscriptions/1/resourceGroups/kv/providers/Microsoft.Network/virtualNetworks/kv"
        address_space             = ["10.20.0.0/16"]
        remote_address_space      = ["10.1.0.0/16"]
      }
    }
  }
  assert {
    condition     = azurerm_virtual_network_peering.this["eu"].resource_group_name == "acme-net" && azurerm_virtual_network_peering.this["eu"].virtual_network_name == "acme"
    error_message = "the side is that of its network"
  }
  assert {
    condition     = !azurerm_virtual_network_peering.this["eu"].allow_forwarded_traffic && !azurerm_virtual_network_peering.this["eu"].use_remote_gateways
    error_message = "nothing but the two networks' own traffic"
  }
}

run "networks_that_overlap_are_refused" {
  command = plan
  variables {
    peerings = {
      eu = {
        virtual_network_id        = "/subscriptions/0/resourceGroups/acme/providers/Microsoft.Network/virtualNetworks/acme"
        remote_virtual_network_id = "/subscriptions/1/resourceGroups/kv/providers/Microsoft.Network/virtualNetworks/kv"
        address_space             = ["10.0.0.0/8"]
        remote_address_space      = ["10.1.0.0/16"]
      }
    }
  }
  expect_failures = [var.peerings]
}

run "a_peering_with_itself_is_refused" {
  command = plan
  variables {
    peerings = {
      eu = {
        virtual_network_id        = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/virtualNetworks/kv"
        remote_virtual_network_id = "/subscriptions/0/resourceGroups/KV/providers/Microsoft.Network/virtualNetworks/kv"
      }
    }
  }
  expect_failures = [var.peerings]
}

run "alias_and_id_together_are_refused" {
  command = plan
  variables {
    service_endpoints = { a = {
      private_link_service_alias = "x"
      private_link_service_id    = "y"
      subnet_id                  = "/subscriptions/0/resourceGroups/acme/providers/Microsoft.Network/virtualNetworks/acme/subnets/clients"
    } }
  }
  expect_failures = [var.service_endpoints]
}

run "a_host_that_no_network_finds_is_refused" {
  command = plan
  variables {
    service_endpoints = { a = {
      private_link_service_alias = "x"
      subnet_id                  = "/subscriptions/0/resourceGroups/acme/providers/Microsoft.Network/virtualNetworks/acme/subnets/clients"
      host                       = "eu-1-a.kv.example.com"
    } }
  }
  expect_failures = [var.service_endpoints]
}

run "a_host_with_a_port_is_refused" {
  command = plan
  variables {
    service_endpoints = { a = {
      private_link_service_alias = "x"
      subnet_id                  = "/subscriptions/0/resourceGroups/acme/providers/Microsoft.Network/virtualNetworks/acme/subnets/clients"
      host                       = "eu-1-a.kv.example.com:8085"
      virtual_network_ids        = { acme = "/subscriptions/0/x" }
    } }
  }
  expect_failures = [var.service_endpoints]
}

run "a_long_name_is_refused" {
  command = plan
  variables {
    name = "a-name-that-is-longer-than-forty-characters-are"
  }
  expect_failures = [var.name]
}
