resource "azurerm_monitor_private_link_scope" "this" {
  count = local.is_private ? 1 : 0

  name                  = "${var.name}-ampls"
  resource_group_name   = var.resource_group_name
  ingestion_access_mode = "PrivateOnly"
  query_access_mode     = "Open"
  tags                  = var.tags
}

resource "azurerm_monitor_private_link_scoped_service" "this" {
  count = local.is_private ? 1 : 0

  name                = "${var.name}-dce"
  resource_group_name = var.resource_group_name
  scope_name          = azurerm_monitor_private_link_scope.this[0].name
  linked_resource_id  = azurerm_monitor_data_collection_endpoint.this.id
}

resource "azurerm_monitor_private_link_scoped_service" "agents" {
  for_each = azurerm_monitor_data_collection_endpoint.agents

  name                = each.value.name
  resource_group_name = var.resource_group_name
  scope_name          = azurerm_monitor_private_link_scope.this[0].name
  linked_resource_id  = each.value.id

  depends_on = [azurerm_monitor_private_link_scoped_service.logs]
}

resource "azurerm_monitor_private_link_scoped_service" "logs" {
  count = local.is_private && var.logs != null ? 1 : 0

  name                = "${var.name}-logs"
  resource_group_name = var.resource_group_name
  scope_name          = azurerm_monitor_private_link_scope.this[0].name
  linked_resource_id  = var.logs.log_analytics_workspace_id

  # Azure refuses a second change of a scope while one is under way.
  depends_on = [azurerm_monitor_private_link_scoped_service.this]
}

resource "azurerm_private_endpoint" "ingestion" {
  for_each = var.private_link

  name                = "${var.name}-ampls-${each.key}"
  location            = each.value.location
  resource_group_name = each.value.resource_group_name
  subnet_id           = each.value.subnet_id
  tags                = var.tags

  private_service_connection {
    name                           = "${var.name}-ampls"
    private_connection_resource_id = azurerm_monitor_private_link_scope.this[0].id
    subresource_names              = ["azuremonitor"]
    is_manual_connection           = false
  }

  dynamic "private_dns_zone_group" {
    for_each = length(each.value.private_dns_zone_ids) == 0 ? [] : ["default"]

    content {
      name                 = private_dns_zone_group.value
      private_dns_zone_ids = tolist(each.value.private_dns_zone_ids)
    }
  }

  # An endpoint that is made before its scope has a service answers for none.
  depends_on = [
    azurerm_monitor_private_link_scoped_service.this, azurerm_monitor_private_link_scoped_service.agents, azurerm_monitor_private_link_scoped_service.logs
  ]
}
