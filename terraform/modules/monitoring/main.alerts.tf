resource "azurerm_monitor_action_group" "emails" {
  count = length(var.emails) == 0 ? 0 : 1

  name                = "${var.name}-oncall"
  short_name          = "kvstore"
  resource_group_name = var.resource_group_name
  tags                = var.tags

  dynamic "email_receiver" {
    for_each = var.emails

    content {
      name                    = email_receiver.key
      email_address           = email_receiver.value
      use_common_alert_schema = true
    }
  }
}

resource "azurerm_monitor_alert_prometheus_rule_group" "this" {
  for_each = local.groups

  name                = "${var.name}-${each.key}"
  location            = var.location
  resource_group_name = var.resource_group_name
  description         = "deploy/observability/kvstore.rules.yaml, group ${each.key}. Changes here are lost: change the file."
  rule_group_enabled  = true
  interval            = "PT1M"
  scopes              = [azurerm_monitor_workspace.this.id]
  tags                = var.tags

  dynamic "rule" {
    for_each = each.value

    content {
      alert      = rule.value.alert
      enabled    = !contains(var.disabled_alerts, rule.value.alert)
      expression = trimspace(rule.value.expr)
      for        = local.durations[try(rule.value["for"], "0m")]
      severity   = local.severities[rule.value.labels.severity]
      labels     = rule.value.labels
      annotations = merge(
        { for name, text in rule.value.annotations : name => trimspace(text) if name != "runbook" },
        var.runbook_url == null ? { runbook = rule.value.annotations.runbook } : { runbook_url = "${var.runbook_url}#${lower(rule.value.alert)}" }
      )

      dynamic "action" {
        for_each = local.action_groups[rule.value.labels.severity]

        content {
          action_group_id = action.value
        }
      }

      alert_resolution {
        auto_resolved   = true
        time_to_resolve = "PT10M"
      }
    }
  }

  lifecycle {
    precondition {
      condition     = length(each.value) <= 20
      error_message = "Group ${each.key} has ${length(each.value)} rules: Azure Monitor takes 20 in a group. Split it."
    }
    precondition {
      condition     = alltrue([for rule in each.value : can(local.severities[rule.labels.severity]) && can(rule.annotations.runbook)])
      error_message = "Each rule of group ${each.key} needs labels.severity (critical or warning) and annotations.runbook."
    }
  }
}

# Prometheus sees control planes, and none runs on a replica.
resource "azurerm_monitor_metric_alert" "replica_lag" {
  for_each = var.database_replica_ids

  name                = "${var.name}-replica-lag-${each.key}"
  resource_group_name = var.resource_group_name
  description         = "The replica of the database in ${each.key} is more than 5 minutes behind: a standby there would lose as much. See docs/operations/recovery.md."
  scopes              = [each.value]
  severity            = local.severities["critical"]
  frequency           = "PT5M"
  window_size         = "PT15M"
  tags                = var.tags

  criteria {
    metric_namespace = "Microsoft.DBforPostgreSQL/flexibleServers"
    metric_name      = "physical_replication_delay_in_seconds"
    # The least of a quarter of an hour: one slow moment wakes nobody.
    aggregation = "Minimum"
    operator    = "GreaterThan"
    threshold   = 300
  }

  dynamic "action" {
    for_each = local.action_groups["critical"]

    content {
      action_group_id = action.value
    }
  }
}
