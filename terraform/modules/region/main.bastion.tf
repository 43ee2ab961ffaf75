locals {
  # All that Azure demands of a bastion's subnet. Tunnels to 22 and 8080 of machines are among it.
  bastion_rules = var.bastion == null ? {} : {
    clients       = { direction = "Inbound", priority = 100, sources = tolist(var.bastion.client_address_prefixes), source = "Internet", destination = "*", ports = ["443"], protocol = "Tcp" }
    manager       = { direction = "Inbound", priority = 110, sources = [], source = "GatewayManager", destination = "*", ports = ["443"], protocol = "Tcp" }
    balancer      = { direction = "Inbound", priority = 120, sources = [], source = "AzureLoadBalancer", destination = "*", ports = ["443"], protocol = "Tcp" }
    own-machines  = { direction = "Inbound", priority = 130, sources = [], source = "VirtualNetwork", destination = "VirtualNetwork", ports = ["8080", "5701"], protocol = "*" }
    machines      = { direction = "Outbound", priority = 100, sources = [], source = "*", destination = "VirtualNetwork", ports = ["22", "3389"], protocol = "*" }
    azure         = { direction = "Outbound", priority = 110, sources = [], source = "*", destination = "AzureCloud", ports = ["443"], protocol = "Tcp" }
    communication = { direction = "Outbound", priority = 120, sources = [], source = "VirtualNetwork", destination = "VirtualNetwork", ports = ["8080", "5701"], protocol = "*" }
    certificates  = { direction = "Outbound", priority = 130, sources = [], source = "*", destination = "Internet", ports = ["80"], protocol = "*" }
  }
}

resource "azurerm_network_security_rule" "bastion" {
  for_each = local.bastion_rules

  name                        = "${each.value.direction == "Inbound" ? "in" : "out"}-${each.key}"
  resource_group_name         = local.resource_group_name
  network_security_group_name = azurerm_network_security_group.this["bastion"].name
  priority                    = each.value.priority
  direction                   = each.value.direction
  access                      = "Allow"
  protocol                    = each.value.protocol
  source_port_range           = "*"
  source_address_prefix       = length(each.value.sources) == 0 ? each.value.source : null
  source_address_prefixes     = length(each.value.sources) == 0 ? null : each.value.sources
  destination_port_ranges     = each.value.ports
  destination_address_prefix  = each.value.destination
}

resource "azurerm_public_ip" "bastion" {
  count = var.bastion == null ? 0 : 1

  name                = "pip-bastion-${var.name}"
  location            = var.location
  resource_group_name = local.resource_group_name
  allocation_method   = "Static"
  sku                 = "Standard"
  tags                = var.tags
}

resource "azurerm_bastion_host" "this" {
  count = var.bastion == null ? 0 : 1

  name                = "bas-${var.name}"
  location            = var.location
  resource_group_name = local.resource_group_name
  sku                 = var.bastion.sku
  scale_units         = var.bastion.scale_units
  tunneling_enabled   = true
  copy_paste_enabled  = false
  tags                = var.tags

  ip_configuration {
    name                 = "primary"
    subnet_id            = azurerm_subnet.this["bastion"].id
    public_ip_address_id = azurerm_public_ip.bastion[0].id
  }

  depends_on = [azurerm_subnet_network_security_group_association.this]
}
