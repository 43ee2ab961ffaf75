mock_provider "azurerm" {
  source = "../../testing/mocks"

  override_resource {
    target = module.region.azurerm_private_dns_zone.this["data_planes"]
    values = { id = "/subscriptions/s/resourceGroups/rg-eu-2/providers/Microsoft.Network/privateDnsZones/eu-2.kv.internal" }
  }
}
mock_provider "kvstore" {}

variables {
  control_plane          = "control.kv.example.com:9090"
  images                 = { repository = "kvimages.azurecr.io/kvstore", tag = "1.0.0" }
  admin_group_object_ids = ["11111111-2222-3333-4444-555555555555"]
}

run "a_region_on_aks" {
  assert {
    condition     = azurerm_subnet.nodes.address_prefixes == tolist(["10.2.32.0/22"]) && azurerm_subnet.nodes.virtual_network_name == "mocked"
    error_message = "nodes have a subnet of their own in the region's network"
  }
  assert {
    condition     = yamldecode(output.helm_values).dataPlane.cluster == "eu-2-a" && yamldecode(output.helm_values).dataPlane.replicas == 3
    error_message = "the chart gets what was registered"
  }
  assert {
    condition     = yamldecode(output.helm_values).dataPlane.domain == "eu-2-a.eu-2.kv.internal" && yamldecode(output.external_dns_values).domainFilters == ["eu-2.kv.internal"]
    error_message = "its names are in the region's zone"
  }
  assert {
    condition     = nonsensitive(output.join_token) != null
    error_message = "there is a token for its data planes"
  }
}

run "pods_are_reached_at_the_data_planes_port_alone" {
  assert {
    condition     = [for rule in azurerm_network_security_rule.aks : rule.destination_port_range if rule.source_address_prefix == "VirtualNetwork"] == ["8085"] && azurerm_network_security_rule.aks["deny"].access == "Deny" && keys(azurerm_subnet_network_security_group_association.aks) == ["nodes", "pods"]
    error_message = "metrics of all tenants are not for every peered network"
  }
}

run "logs_of_pods" {
  variables {
    logs = true
  }
  assert {
    condition     = module.monitoring.logs != null
    error_message = "they go to the region's workspace"
  }
}

run "scale_out" {
  variables {
    node_count = 4
  }
  assert {
    condition     = yamldecode(output.helm_values).dataPlane.replicas == 4
    error_message = "one more data plane"
  }
}
