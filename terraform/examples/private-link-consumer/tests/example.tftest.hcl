mock_provider "azurerm" {
  source = "../../testing/mocks"
}

variables {
  subscription_id     = "00000000-0000-0000-0000-000000000000"
  name                = "acme"
  location            = "westeurope"
  resource_group_name = "rg-acme"
  virtual_network_id  = "/subscriptions/s/resourceGroups/rg-acme/providers/Microsoft.Network/virtualNetworks/acme"
  subnet_id           = "/subscriptions/s/resourceGroups/rg-acme/providers/Microsoft.Network/virtualNetworks/acme/subnets/endpoints"
  services = {
    control = { alias = "pls-control.11111111-1111-1111-1111-111111111111.germanywestcentral.azure.privatelinkservice", host = "control.eu-1.kv.internal" }
    eu-1-a  = { alias = "pls-eu-1-a.22222222-2222-2222-2222-222222222222.germanywestcentral.azure.privatelinkservice", host = "eu-1-a.eu-1.kv.internal" }
  }
}

run "clients_find_control_plane_and_cluster_by_name" {
  assert {
    condition     = output.hosts == { control = "control.eu-1.kv.internal", eu-1-a = "eu-1-a.eu-1.kv.internal" } && keys(module.kvstore.service_endpoint_ids) == ["control", "eu-1-a"]
    error_message = "Both names lead to private endpoints."
  }

  assert {
    condition     = keys(module.kvstore.private_dns_zone_ids) == ["eu-1.kv.internal"]
    error_message = "One zone has both names."
  }
}
