locals {
  groups = { for group in yamldecode(coalesce(var.rules_yaml, file("${path.module}/../../../deploy/observability/kvstore.rules.yaml"))).groups : group.name => group.rules }

  # Azure's severities go from 0, critical, to 4, verbose. 1 is "error", 3 "informational".
  severities = { critical = 1, warning = 3 }

  action_groups = {
    critical = concat(tolist(var.action_group_ids.critical), azurerm_monitor_action_group.emails[*].id)
    warning  = tolist(var.action_group_ids.warning)
  }

  # Prometheus says 5m or 1d where Azure says PT5M or P1D.
  durations = {
    for duration in distinct(flatten([for rules in values(local.groups) : [for rule in rules : try(rule["for"], "0m")]])) :
    duration => endswith(duration, "d") ? "P${upper(duration)}" : "PT${upper(duration)}"
  }

  is_private = length(var.private_link) > 0

  remote_write = "${azurerm_monitor_data_collection_endpoint.this.metrics_ingestion_endpoint}/dataCollectionRules/${azurerm_monitor_data_collection_rule.this.immutable_id}/streams/Microsoft-PrometheusMetrics/api/v1/write?api-version=2023-04-24"
}
