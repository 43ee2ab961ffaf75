resource "azurerm_monitor_data_collection_rule_association" "logs" {
  count = var.logs == null ? 0 : 1

  name                    = "logs"
  target_resource_id      = azurerm_orchestrated_virtual_machine_scale_set.this.id
  data_collection_rule_id = var.logs.data_collection_rule_id
}

# The name that agents look for: where they ask for their rules.
resource "azurerm_monitor_data_collection_rule_association" "agents" {
  count = var.logs == null ? 0 : var.logs.data_collection_endpoint == null ? 0 : 1

  name                        = "configurationAccessEndpoint"
  target_resource_id          = azurerm_orchestrated_virtual_machine_scale_set.this.id
  data_collection_endpoint_id = var.logs.data_collection_endpoint.id
}
