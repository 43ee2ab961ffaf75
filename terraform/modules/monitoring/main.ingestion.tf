resource "azurerm_monitor_data_collection_endpoint" "this" {
  name                          = "${var.name}-dce"
  location                      = var.location
  resource_group_name           = var.resource_group_name
  kind                          = "Linux"
  public_network_access_enabled = !local.is_private
  tags                          = var.tags
}

resource "azurerm_monitor_data_collection_rule" "this" {
  name                        = "${var.name}-dcr"
  location                    = var.location
  resource_group_name         = var.resource_group_name
  kind                        = "Linux"
  data_collection_endpoint_id = azurerm_monitor_data_collection_endpoint.this.id
  tags                        = var.tags

  data_sources {
    prometheus_forwarder {
      name    = "prometheus"
      streams = ["Microsoft-PrometheusMetrics"]
    }
  }

  destinations {
    monitor_account {
      name               = "workspace"
      monitor_account_id = azurerm_monitor_workspace.this.id
    }
  }

  data_flow {
    streams      = ["Microsoft-PrometheusMetrics"]
    destinations = ["workspace"]
  }
}

resource "azurerm_monitor_data_collection_rule_association" "aks" {
  for_each = var.aks_cluster_ids

  name                    = "${var.name}-${each.key}"
  target_resource_id      = each.value
  data_collection_rule_id = azurerm_monitor_data_collection_rule.this.id
}

resource "azurerm_role_assignment" "publisher" {
  for_each = var.publisher_principal_ids

  scope                            = azurerm_monitor_data_collection_rule.this.id
  role_definition_name             = "Monitoring Metrics Publisher"
  principal_id                     = each.value
  principal_type                   = "ServicePrincipal"
  skip_service_principal_aad_check = true
}
