resource "azurerm_virtual_network" "this" {
  name                = "vnet-${var.name}"
  location            = var.location
  resource_group_name = local.resource_group_name
  address_space       = [var.address_space]
  tags                = var.tags

  lifecycle {
    # Two ranges overlap if they are the same at the length of the shorter prefix.
    precondition {
      condition = alltrue(flatten([for index, here in values(local.subnets) : [for there in slice(values(local.subnets), index + 1, length(local.subnets)) :
        cidrsubnet("${split("/", here)[0]}/${min(split("/", here)[1], split("/", there)[1])}", 0, 0) !=
        cidrsubnet("${split("/", there)[0]}/${min(split("/", here)[1], split("/", there)[1])}", 0, 0)
      ]]))
      error_message = "subnet_address_prefixes: two subnets overlap (${join(", ", [for name, prefix in local.subnets : "${name} ${prefix}"])}), the usual parts of address_space among them: Azure refuses the second one in the middle of an apply."
    }
  }
}

resource "azurerm_subnet" "this" {
  for_each = local.subnets

  # Azure knows a bastion's subnet by its name.
  name                 = each.key == "bastion" ? "AzureBastionSubnet" : each.key
  resource_group_name  = local.resource_group_name
  virtual_network_name = azurerm_virtual_network.this.name
  address_prefixes     = [each.value]
  # A bastion has machines of Azure's own, which go out by its public address.
  default_outbound_access_enabled = each.key == "bastion"
  # Security groups count for private endpoints as well.
  private_endpoint_network_policies = "Enabled"
  # A Private Link service takes its addresses from a subnet without these policies alone.
  private_link_service_network_policies_enabled = each.key != "link"

  # Azure adds it to the subnet of a database, and a plan would take it away again.
  service_endpoints = each.key == "postgres" ? ["Microsoft.Storage"] : null

  dynamic "delegation" {
    for_each = each.key == "postgres" ? ["postgres"] : []
    content {
      name = "postgres"

      service_delegation {
        name    = "Microsoft.DBforPostgreSQL/flexibleServers"
        actions = ["Microsoft.Network/virtualNetworks/subnets/join/action"]
      }
    }
  }
}

resource "azurerm_public_ip" "nat" {
  count = var.nat_gateway == null ? 0 : 1

  name                = "pip-nat-${var.name}"
  location            = var.location
  resource_group_name = local.resource_group_name
  allocation_method   = "Static"
  sku                 = "Standard"
  zones               = try(var.nat_gateway.zone, null) == null ? null : [var.nat_gateway.zone]
  tags                = var.tags
}

resource "azurerm_nat_gateway" "this" {
  count = var.nat_gateway == null ? 0 : 1

  name                    = "nat-${var.name}"
  location                = var.location
  resource_group_name     = local.resource_group_name
  sku_name                = "Standard"
  zones                   = try(var.nat_gateway.zone, null) == null ? null : [var.nat_gateway.zone]
  idle_timeout_in_minutes = var.nat_gateway.idle_timeout_in_minutes
  tags                    = var.tags
}

resource "azurerm_nat_gateway_public_ip_association" "this" {
  count = var.nat_gateway == null ? 0 : 1

  nat_gateway_id       = azurerm_nat_gateway.this[0].id
  public_ip_address_id = azurerm_public_ip.nat[0].id
}

resource "azurerm_subnet_nat_gateway_association" "this" {
  count = var.nat_gateway == null ? 0 : 1

  nat_gateway_id = azurerm_nat_gateway.this[0].id
  subnet_id      = azurerm_subnet.this["data"].id
}

resource "azurerm_virtual_network_peering" "this" {
  for_each = var.peerings

  name                         = "peer-${each.key}"
  resource_group_name          = local.resource_group_name
  virtual_network_name         = azurerm_virtual_network.this.name
  remote_virtual_network_id    = each.value.virtual_network_id
  allow_virtual_network_access = true
  allow_forwarded_traffic      = each.value.allow_forwarded_traffic
  allow_gateway_transit        = false
  use_remote_gateways          = each.value.use_remote_gateways
}
