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
  description = "URL to which a Prometheus sends metrics (`remote_write`), as one of `publisher_principal_ids`."
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

output "prometheus_configs" {
  description = "By cluster of `scrapes`, the configuration of a Prometheus in its region."
  value = {
    for cluster, scrape in var.scrapes : cluster => templatefile("${path.module}/templates/prometheus.yaml.tftpl", merge(scrape, {
      cluster         = cluster
      machine_pattern = coalesce(scrape.machine_pattern, "(vmss-)?${cluster}[_-].*")
      remote_write    = local.remote_write
    }))
  }
}

output "alerts" {
  description = "Names of the alerts that are on, by group."
  value       = { for group, rules in local.groups : group => [for rule in rules : rule.alert if !contains(var.disabled_alerts, rule.alert)] }
}
