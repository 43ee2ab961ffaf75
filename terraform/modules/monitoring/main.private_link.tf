resource "azurerm_monitor_private_link_scope" "this" {
  count = var.private_link == null ? 0 : 1

  name                  = "${var.name}-ampls"
  resource_group_name   = var.resource_group_name
  ingestion_access_mode = "PrivateOnly"
  query_access_mode     = "Open"
  tags                  = var.tags
}

resource "azurerm_monitor_private_link_scoped_service" "this" {
  count = var.private_link == null ? 0 : 1

  name                = "${var.name}-dce"
  resource_group_name = var.resource_group_name
  scope_name          = azurerm_monitor_private_link_scope.this[0].name
  linked_resource_id  = azurerm_monitor_data_collection_endpoint.this.id
}

resource "azurerm_private_endpoint" "ingestion" {
  count = var.private_link == null ? 0 : 1

  name                = "${var.name}-ampls-pe"
  location            = var.location
  resource_group_name = var.resource_group_name
  subnet_id           = var.private_link.subnet_id
  tags                = var.tags

  private_service_connection {
    name                           = "${var.name}-ampls"
    private_connection_resource_id = azurerm_monitor_private_link_scope.this[0].id
    subresource_names              = ["azuremonitor"]
    is_manual_connection           = false
  }

  dynamic "private_dns_zone_group" {
    for_each = length(var.private_link.private_dns_zone_ids) == 0 ? [] : ["default"]

    content {
      name                 = private_dns_zone_group.value
      private_dns_zone_ids = tolist(var.private_link.private_dns_zone_ids)
    }
  }

  # An endpoint that is made before its scope has a service answers for none.
  depends_on = [azurerm_monitor_private_link_scoped_service.this]
}
