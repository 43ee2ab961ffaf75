# Ids of the form that Azure gives, since modules refuse others. Tests assert on nothing that stands here.

mock_resource "azurerm_resource_group" {
  defaults = {
    id = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mocked"
  }
}

mock_resource "azurerm_virtual_network" {
  defaults = {
    id = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mocked/providers/Microsoft.Network/virtualNetworks/mocked"
  }
}

mock_resource "azurerm_subnet" {
  defaults = {
    id = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mocked/providers/Microsoft.Network/virtualNetworks/mocked/subnets/mocked"
  }
}

mock_resource "azurerm_network_security_group" {
  defaults = {
    id = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mocked/providers/Microsoft.Network/networkSecurityGroups/mocked"
  }
}

mock_resource "azurerm_public_ip" {
  defaults = {
    id = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mocked/providers/Microsoft.Network/publicIPAddresses/mocked"
  }
}

mock_resource "azurerm_nat_gateway" {
  defaults = {
    id = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mocked/providers/Microsoft.Network/natGateways/mocked"
  }
}

mock_resource "azurerm_private_dns_zone" {
  defaults = {
    id = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mocked/providers/Microsoft.Network/privateDnsZones/mocked"
  }
}

mock_resource "azurerm_private_endpoint" {
  defaults = {
    id = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mocked/providers/Microsoft.Network/privateEndpoints/mocked"
  }
}

mock_resource "azurerm_log_analytics_workspace" {
  defaults = {
    id = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mocked/providers/Microsoft.OperationalInsights/workspaces/mocked"
  }
}

mock_resource "azurerm_lb" {
  defaults = {
    id                 = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mocked/providers/Microsoft.Network/loadBalancers/mocked"
    private_ip_address = "10.0.0.4"
    frontend_ip_configuration = {
      id = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mocked/providers/Microsoft.Network/loadBalancers/mocked/frontendIPConfigurations/mocked"
    }
  }
}

mock_resource "azurerm_lb_backend_address_pool" {
  defaults = {
    id = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mocked/providers/Microsoft.Network/loadBalancers/mocked/backendAddressPools/mocked"
  }
}

mock_resource "azurerm_lb_probe" {
  defaults = {
    id = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mocked/providers/Microsoft.Network/loadBalancers/mocked/probes/mocked"
  }
}

mock_resource "azurerm_lb_rule" {
  defaults = {
    id = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mocked/providers/Microsoft.Network/loadBalancers/mocked/loadBalancingRules/mocked"
  }
}

mock_resource "azurerm_private_link_service" {
  defaults = {
    id = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mocked/providers/Microsoft.Network/privateLinkServices/mocked"
  }
}

mock_resource "azurerm_user_assigned_identity" {
  defaults = {
    id           = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mocked/providers/Microsoft.ManagedIdentity/userAssignedIdentities/mocked"
    principal_id = "00000000-0000-0000-0000-0000000000a1"
    client_id    = "00000000-0000-0000-0000-0000000000a2"
    tenant_id    = "00000000-0000-0000-0000-0000000000a3"
  }
}

mock_resource "azurerm_orchestrated_virtual_machine_scale_set" {
  defaults = {
    id = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mocked/providers/Microsoft.Compute/virtualMachineScaleSets/mocked"
  }
}

mock_resource "azurerm_storage_account" {
  defaults = {
    id = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mocked/providers/Microsoft.Storage/storageAccounts/mocked"
  }
}

mock_resource "azurerm_storage_container" {
  defaults = {
    id = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mocked/providers/Microsoft.Storage/storageAccounts/mocked/blobServices/default/containers/mocked"
  }
}

mock_resource "azurerm_shared_image" {
  defaults = {
    id = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mocked/providers/Microsoft.Compute/galleries/mocked/images/mocked"
  }
}

mock_data "azurerm_client_config" {
  defaults = {
    tenant_id       = "00000000-0000-0000-0000-0000000000b1"
    subscription_id = "00000000-0000-0000-0000-000000000000"
    object_id       = "00000000-0000-0000-0000-0000000000b2"
    client_id       = "00000000-0000-0000-0000-0000000000b3"
  }
}

mock_resource "azurerm_shared_image_gallery" {
  defaults = {
    id = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mocked/providers/Microsoft.Compute/galleries/mocked"
  }
}

mock_resource "azurerm_bastion_host" {
  defaults = {
    id = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mocked/providers/Microsoft.Network/bastionHosts/mocked"
  }
}
