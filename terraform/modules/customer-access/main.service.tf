resource "azurerm_private_endpoint" "service" {
  for_each = var.service_endpoints

  name                = "${var.name}-${each.key}"
  location            = var.location
  resource_group_name = var.resource_group_name
  subnet_id           = each.value.subnet_id
  tags                = var.tags

  private_service_connection {
    name                              = "${var.name}-${each.key}"
    private_connection_resource_alias = each.value.private_link_service_alias
    private_connection_resource_id    = each.value.private_link_service_id
    is_manual_connection              = true
    request_message                   = each.value.request_message
  }
}

resource "azurerm_private_dns_zone" "service" {
  for_each = local.zones

  name                = each.key
  resource_group_name = var.resource_group_name
  tags                = var.tags
}

resource "azurerm_private_dns_zone_virtual_network_link" "service" {
  for_each = local.zone_links

  name                  = each.value.network
  resource_group_name   = var.resource_group_name
  private_dns_zone_name = azurerm_private_dns_zone.service[each.value.zone].name
  virtual_network_id    = each.value.id
  registration_enabled  = false
  # Names of the zone that are not here, such as another cluster's, are looked up in public DNS.
  resolution_policy = "Default"
  tags              = var.tags
}

resource "azurerm_private_dns_a_record" "service" {
  for_each = local.named

  name                = each.value.record
  zone_name           = azurerm_private_dns_zone.service[each.value.zone].name
  resource_group_name = var.resource_group_name
  ttl                 = 60
  records             = [azurerm_private_endpoint.service[each.key].private_service_connection[0].private_ip_address]
  tags                = var.tags
}

resource "azurerm_virtual_network_peering" "this" {
  for_each = var.peerings

  name                         = "${var.name}-${each.key}"
  resource_group_name          = regex("(?i)/resourceGroups/([^/]+)/", each.value.virtual_network_id)[0]
  virtual_network_name         = regex("(?i)/virtualNetworks/([^/]+)$", each.value.virtual_network_id)[0]
  remote_virtual_network_id    = each.value.remote_virtual_network_id
  allow_virtual_network_access = true
  allow_forwarded_traffic      = false
  allow_gateway_transit        = false
  use_remote_gateways          = false
}
