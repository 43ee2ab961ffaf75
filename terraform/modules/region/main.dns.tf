resource "azurerm_private_dns_zone" "this" {
  for_each = local.made_zones

  name                = each.value
  resource_group_name = local.resource_group_name
  tags                = var.tags
}

resource "azurerm_private_dns_zone_virtual_network_link" "this" {
  for_each = azurerm_private_dns_zone.this

  name                  = "link-${var.name}"
  resource_group_name   = local.resource_group_name
  private_dns_zone_name = each.value.name
  virtual_network_id    = azurerm_virtual_network.this.id
  # Machines that come and go register and remove their own names.
  registration_enabled = each.key == "data_planes"
  # Storage accounts and key vaults without a private endpoint here are still found, at their public addresses; so is Azure Monitor.
  resolution_policy = startswith(each.value.name, "privatelink.") ? "NxDomainRedirect" : null
  tags              = var.tags
}

resource "azurerm_private_dns_zone_virtual_network_link" "peers" {
  for_each = contains(keys(local.made_zones), "data_planes") ? { for key, peering in var.peerings : key => peering if peering.resolve_data_planes } : {}

  name                  = "link-${var.name}-${each.key}"
  resource_group_name   = local.resource_group_name
  private_dns_zone_name = azurerm_private_dns_zone.this["data_planes"].name
  virtual_network_id    = each.value.virtual_network_id
  registration_enabled  = false
  tags                  = var.tags
}
