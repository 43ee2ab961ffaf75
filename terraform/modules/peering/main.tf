resource "azurerm_virtual_network_peering" "this" {
  for_each = local.sides

  name                         = "peer-${each.value.to}"
  resource_group_name          = element(split("/", var.regions[each.value.from].virtual_network_id), 4)
  virtual_network_name         = element(split("/", var.regions[each.value.from].virtual_network_id), 8)
  remote_virtual_network_id    = var.regions[each.value.to].virtual_network_id
  allow_virtual_network_access = true
  allow_forwarded_traffic      = false
  allow_gateway_transit        = false
  use_remote_gateways          = false
}

# Names of the one region, found in the other.
resource "azurerm_private_dns_zone_virtual_network_link" "this" {
  for_each = { for side, pair in local.sides : side => pair if var.resolve_names }

  name                  = "link-${each.value.from}-${each.value.to}"
  resource_group_name   = element(split("/", var.regions[each.value.from].private_dns_zone_id), 4)
  private_dns_zone_name = element(split("/", var.regions[each.value.from].private_dns_zone_id), 8)
  virtual_network_id    = var.regions[each.value.to].virtual_network_id
  registration_enabled  = false
  tags                  = var.tags
}
