locals {
  ssh_sources = concat(tolist(var.ssh_address_prefixes), var.bastion == null ? [] : [local.subnets.bastion])

  inbound = merge(
    {
      data-planes-from-networks = { priority = 100, ports = [local.data_plane_ports], sources = ["VirtualNetwork"] }
      data-planes-from-balancer = { priority = 110, ports = [local.data_plane_ports], sources = ["AzureLoadBalancer"] }
      health-from-balancer      = { priority = 120, ports = [local.http_ports], sources = ["AzureLoadBalancer"] }
      # The control plane, where its machines are in this subnet. Clients and data planes of all networks ask its gRPC; REST is for admins.
      control-plane-from-networks = { priority = 150, ports = ["9090"], sources = ["VirtualNetwork"] }
      control-plane-from-balancer = { priority = 160, ports = ["8080", "9090"], sources = ["AzureLoadBalancer"] }
      control-plane-from-admins   = { priority = 170, ports = ["8080"], sources = concat([var.address_space], tolist(var.admin_address_prefixes)) }
    },
    length(var.monitoring_address_prefixes) == 0 ? {} : {
      metrics-from-monitoring = { priority = 130, ports = [local.http_ports], sources = var.monitoring_address_prefixes }
    },
    length(local.ssh_sources) == 0 ? {} : {
      ssh = { priority = 140, ports = ["22"], sources = local.ssh_sources }
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
  for_each = toset(concat(["data", "endpoints", "postgres"], var.bastion == null ? [] : ["bastion"]))

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

# Peered networks of customers reach no storage of others, and no key vault.
resource "azurerm_network_security_rule" "endpoints" {
  for_each = {
    allow = { priority = 100, access = "Allow", port = "443", sources = concat([var.address_space], tolist(var.endpoint_address_prefixes)) }
    deny  = { priority = 4096, access = "Deny", port = "*", sources = ["*"] }
  }

  name                        = "in-${each.key}"
  resource_group_name         = local.resource_group_name
  network_security_group_name = azurerm_network_security_group.this["endpoints"].name
  priority                    = each.value.priority
  direction                   = "Inbound"
  access                      = each.value.access
  protocol                    = "*"
  source_port_range           = "*"
  source_address_prefix       = each.key == "deny" ? each.value.sources[0] : null
  source_address_prefixes     = each.key == "deny" ? null : each.value.sources
  destination_port_range      = each.value.port
  destination_address_prefix  = "*"
}

# The servers of a database that is highly available speak with each other. What Azure's own services need, its default rules allow.
resource "azurerm_network_security_rule" "postgres" {
  for_each = {
    allow = { priority = 100, access = "Allow", ports = ["5432", "6432"], sources = concat([local.subnets.data, local.subnets.postgres], tolist(var.database_address_prefixes)) }
    deny  = { priority = 4096, access = "Deny", ports = ["*"], sources = ["VirtualNetwork"] }
  }

  name                        = "in-${each.key}"
  resource_group_name         = local.resource_group_name
  network_security_group_name = azurerm_network_security_group.this["postgres"].name
  priority                    = each.value.priority
  direction                   = "Inbound"
  access                      = each.value.access
  protocol                    = "*"
  source_port_range           = "*"
  source_address_prefix       = each.key == "deny" ? each.value.sources[0] : null
  source_address_prefixes     = each.key == "deny" ? null : each.value.sources
  destination_port_range      = each.key == "deny" ? "*" : null
  destination_port_ranges     = each.key == "deny" ? null : each.value.ports
  destination_address_prefix  = "*"
}

resource "azurerm_subnet_network_security_group_association" "this" {
  for_each = azurerm_network_security_group.this

  subnet_id                 = azurerm_subnet.this[each.key].id
  network_security_group_id = each.value.id

  # Azure refuses a group for the bastion's subnet that lacks one of its rules.
  depends_on = [azurerm_network_security_rule.bastion]
}
