# Of machines: their units write to the journal, which hands all to rsyslog as of the facility daemon, and that to the agent.
resource "azurerm_monitor_data_collection_rule" "machines" {
  count = var.logs == null ? 0 : 1

  name                = "${var.name}-syslog"
  location            = var.location
  resource_group_name = var.resource_group_name
  kind                = "Linux"
  tags                = var.tags

  data_sources {
    syslog {
      name           = "units"
      streams        = ["Microsoft-Syslog"]
      facility_names = ["daemon"]
      # The journal says Info of each line that a program prints, whatever the program says of it.
      log_levels = ["Info", "Notice", "Warning", "Error", "Critical", "Alert", "Emergency"]
    }
  }

  destinations {
    log_analytics {
      name                  = "workspace"
      workspace_resource_id = var.logs.log_analytics_workspace_id
    }
  }

  data_flow {
    streams      = ["Microsoft-Syslog"]
    destinations = ["workspace"]
  }
}

# An agent asks an endpoint of its own location what to collect, where it has no way to the public one.
resource "azurerm_monitor_data_collection_endpoint" "agents" {
  for_each = var.logs == null ? {} : var.private_link

  name                          = "${var.name}-${each.key}-dce"
  location                      = each.value.location
  resource_group_name           = var.resource_group_name
  kind                          = "Linux"
  public_network_access_enabled = false
  tags                          = var.tags
}

# Of pods: the agent of AKS knows its rule by this extension's name.
resource "azurerm_monitor_data_collection_rule" "pods" {
  count = var.logs == null || length(var.aks_cluster_ids) == 0 ? 0 : 1

  name                = "${var.name}-containers"
  location            = var.location
  resource_group_name = var.resource_group_name
  tags                = var.tags

  data_sources {
    extension {
      name           = "ContainerInsightsExtension"
      extension_name = "ContainerInsights"
      streams        = ["Microsoft-ContainerLogV2"]
      extension_json = jsonencode({ dataCollectionSettings = { interval = "1m", namespaceFilteringMode = "Off", enableContainerLogV2 = true } })
    }
  }

  destinations {
    log_analytics {
      name                  = "workspace"
      workspace_resource_id = var.logs.log_analytics_workspace_id
    }
  }

  data_flow {
    streams      = ["Microsoft-ContainerLogV2"]
    destinations = ["workspace"]
  }
}

resource "azurerm_monitor_data_collection_rule_association" "pods" {
  for_each = var.logs == null ? {} : var.aks_cluster_ids

  name                    = "ContainerInsightsExtension"
  target_resource_id      = each.value
  data_collection_rule_id = azurerm_monitor_data_collection_rule.pods[0].id
}
