locals {
  inbound = merge(
    {
      data-planes-from-networks = { priority = 100, ports = [local.data_plane_ports], sources = ["VirtualNetwork"] }
      data-planes-from-balancer = { priority = 110, ports = [local.data_plane_ports], sources = ["AzureLoadBalancer"] }
      health-from-balancer      = { priority = 120, ports = [local.http_ports], sources = ["AzureLoadBalancer"] }
      # REST and gRPC of the control plane, where its machines are in this subnet: both speak TLS and ask for tokens.
      control-plane-from-networks = { priority = 150, ports = ["8080", "9090"], sources = ["VirtualNetwork"] }
      control-plane-from-balancer = { priority = 160, ports = ["8080", "9090"], sources = ["AzureLoadBalancer"] }
    },
    length(var.monitoring_address_prefixes) == 0 ? {} : {
      metrics-from-monitoring = { priority = 130, ports = [local.http_ports], sources = var.monitoring_address_prefixes }
    },
    length(var.ssh_address_prefixes) == 0 ? {} : {
      ssh = { priority = 140, ports = ["22"], sources = var.ssh_address_prefixes }
    },
  )

  # By tags of Azure: where their addresses change, nothing here does.
  outbound = {
    networks  = { priority = 100, ports = "*", destination = "VirtualNetwork" }
    storage   = { priority = 110, ports = "443", destination = "Storage" }
    identity  = { priority = 120, ports = "443", destination = "AzureActiveDirectory" }
    key-vault = { priority = 130, ports = "443", destination = "AzureKeyVault" }
    monitor   = { priority = 140, ports = "443", destination = "AzureMonitor" }
  }
}

resource "azurerm_network_security_group" "this" {
  for_each = toset(["data", "endpoints"])

  name                = "nsg-${var.name}-${each.key}"
  location            = var.location
  resource_group_name = local.resource_group_name
  tags                = var.tags
}

resource "azurerm_network_security_rule" "inbound" {
  for_each = local.inbound

  name                        = "in-${each.key}"
  resource_group_name         = local.resource_group_name
  network_security_group_name = azurerm_network_security_group.this["data"].name
  priority                    = each.value.priority
  direction                   = "Inbound"
  access                      = "Allow"
  protocol                    = "Tcp"
  source_port_range           = "*"
  source_address_prefix       = can(cidrnetmask(tolist(each.value.sources)[0])) ? null : tolist(each.value.sources)[0]
  source_address_prefixes     = can(cidrnetmask(tolist(each.value.sources)[0])) ? each.value.sources : null
  destination_port_ranges     = each.value.ports
  destination_address_prefix  = "*"
}

resource "azurerm_network_security_rule" "outbound" {
  for_each = local.outbound

  name                        = "out-${each.key}"
  resource_group_name         = local.resource_group_name
  network_security_group_name = azurerm_network_security_group.this["data"].name
  priority                    = each.value.priority
  direction                   = "Outbound"
  access                      = "Allow"
  protocol                    = each.value.ports == "*" ? "*" : "Tcp"
  source_port_range           = "*"
  source_address_prefix       = "*"
  destination_port_range      = each.value.ports
  destination_address_prefix  = each.value.destination
}

resource "azurerm_network_security_rule" "deny" {
  for_each = toset(var.nat_gateway == null ? ["Inbound", "Outbound"] : ["Inbound"])

  name                        = "deny-${lower(each.key)}"
  resource_group_name         = local.resource_group_name
  network_security_group_name = azurerm_network_security_group.this["data"].name
  priority                    = 4096
  direction                   = each.key
  access                      = "Deny"
  protocol                    = "*"
  source_port_range           = "*"
  source_address_prefix       = "*"
  destination_port_range      = "*"
  destination_address_prefix  = "*"
}

resource "azurerm_network_security_rule" "endpoints" {
  for_each = {
    allow = { priority = 100, access = "Allow", port = "443", source = "VirtualNetwork" }
    deny  = { priority = 4096, access = "Deny", port = "*", source = "*" }
  }

  name                        = "in-${each.key}"
  resource_group_name         = local.resource_group_name
  network_security_group_name = azurerm_network_security_group.this["endpoints"].name
  priority                    = each.value.priority
  direction                   = "Inbound"
  access                      = each.value.access
  protocol                    = "*"
  source_port_range           = "*"
  source_address_prefix       = each.value.source
  destination_port_range      = each.value.port
  destination_address_prefix  = "*"
}

resource "azurerm_subnet_network_security_group_association" "this" {
  for_each = azurerm_network_security_group.this

  subnet_id                 = azurerm_subnet.this[each.key].id
  network_security_group_id = each.value.id
}
