output "resource_id" {
  description = "Id of the monitor workspace."
  value       = azurerm_monitor_workspace.this.id
}

output "name" {
  description = "Name of the monitor workspace."
  value       = azurerm_monitor_workspace.this.name
}

output "query_endpoint" {
  description = "URL for queries, as of another Grafana."
  value       = azurerm_monitor_workspace.this.query_endpoint
}

output "remote_write_url" {
  description = "URL to which machines send metrics, as one of `publisher_principal_ids`: `metrics` of `cluster-vmss` and `control-plane`."
  value       = local.remote_write
}

output "data_collection_rule_id" {
  description = "Id of the data collection rule: publishers need *Monitoring Metrics Publisher* on it."
  value       = azurerm_monitor_data_collection_rule.this.id
}

output "grafana_endpoint" {
  description = "URL of Grafana; null without one."
  value       = one(azurerm_dashboard_grafana.this[*].endpoint)
}

output "logs" {
  description = "What `logs` of `cluster-vmss` and `control-plane` takes, by network of `private_link`, and by `public` for networks with a way out; null without `logs`."
  value = var.logs == null ? null : merge(
    { public = { data_collection_rule_id = azurerm_monitor_data_collection_rule.machines[0].id, data_collection_endpoint = null } },
    { for network, endpoint in azurerm_monitor_data_collection_endpoint.agents : network => {
      data_collection_rule_id  = azurerm_monitor_data_collection_rule.machines[0].id
      data_collection_endpoint = { id = endpoint.id }
    } }
  )
}

output "alerts" {
  description = "Names of the alerts that are on, by group."
  value       = { for group, rules in local.groups : group => [for rule in rules : rule.alert if !contains(var.disabled_alerts, rule.alert)] }
}
