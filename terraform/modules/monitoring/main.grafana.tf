resource "azurerm_dashboard_grafana" "this" {
  count = var.grafana == null ? 0 : 1

  name                          = "${var.name}-gf"
  location                      = var.location
  resource_group_name           = var.resource_group_name
  grafana_major_version         = var.grafana.major_version
  sku                           = "Standard"
  zone_redundancy_enabled       = var.grafana.zone_redundancy_enabled
  public_network_access_enabled = var.grafana.public_network_access_enabled
  api_key_enabled               = false
  tags                          = var.tags

  azure_monitor_workspace_integrations {
    resource_id = azurerm_monitor_workspace.this.id
  }

  identity {
    type = "SystemAssigned"
  }
}

resource "azurerm_role_assignment" "grafana_reads" {
  count = var.grafana == null ? 0 : 1

  scope                = azurerm_monitor_workspace.this.id
  role_definition_name = "Monitoring Data Reader"
  principal_id         = azurerm_dashboard_grafana.this[0].identity[0].principal_id
  principal_type       = "ServicePrincipal"
}

resource "azurerm_role_assignment" "grafana" {
  for_each = merge(
    { for name, id in try(var.grafana.admin_principal_ids, {}) : "admin/${name}" => { id = id, role = "Grafana Admin" } },
    { for name, id in try(var.grafana.viewer_principal_ids, {}) : "viewer/${name}" => { id = id, role = "Grafana Viewer" } }
  )

  scope                = azurerm_dashboard_grafana.this[0].id
  role_definition_name = each.value.role
  principal_id         = each.value.id
}
