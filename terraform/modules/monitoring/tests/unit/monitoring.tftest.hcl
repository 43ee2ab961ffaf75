mock_provider "azurerm" { source = "../../testing/mocks" }

variables {
  name                = "kv-eu-1"
  location            = "germanywestcentral"
  resource_group_name = "kv-eu-1"
}

run "the_rules_of_the_product" {
  assert {
    condition     = join(",", keys(azurerm_monitor_alert_prometheus_rule_group.this)) == "kvstore-control-plane,kvstore-data-plane,kvstore-service"
    error_message = "a group of Azure for each group of the file"
  }
  assert {
    condition = join(",", flatten([for group in yamldecode(file("../../../deploy/observability/kvstore.rules.yaml")).groups : group.rules[*].alert])) == join(",", flatten([
      for group in ["kvstore-service", "kvstore-data-plane", "kvstore-control-plane"] : azurerm_monitor_alert_prometheus_rule_group.this[group].rule[*].alert
    ]))
    error_message = "each alert of the file, in its order"
  }
  assert {
    condition     = alltrue(flatten([for group in azurerm_monitor_alert_prometheus_rule_group.this : [for rule in group.rule : can(regex("^P(T[0-9]+[MHS]|[0-9]+D)$", rule["for"]))]]))
    error_message = "durations as Azure writes them"
  }
  assert {
    condition = alltrue(flatten([for group in azurerm_monitor_alert_prometheus_rule_group.this : [
      for rule in group.rule : rule.severity == (rule.labels.severity == "critical" ? 1 : 3)
    ]]))
    error_message = "critical is Azure's 1, warning its 3"
  }
  assert {
    condition     = one([for rule in azurerm_monitor_alert_prometheus_rule_group.this["kvstore-data-plane"].rule : rule["for"] if rule.alert == "KvstoreDrainingForLong"]) == "PT2H"
    error_message = "2h is PT2H"
  }
  assert {
    condition     = one([for rule in azurerm_monitor_alert_prometheus_rule_group.this["kvstore-service"].rule : rule.annotations.runbook if rule.alert == "KvstoreStorageFails"]) == "docs/operations/alerts.md#kvstorestoragefails"
    error_message = "an alert names its section"
  }
  assert {
    condition     = alltrue(flatten([for group in azurerm_monitor_alert_prometheus_rule_group.this : [for rule in group.rule : rule.enabled && length(rule.action) == 0]]))
    error_message = "all are on; nobody is told unless somebody is named"
  }
}

run "people_on_call" {
  variables {
    action_group_ids = {
      critical = ["/subscriptions/0/resourceGroups/ops/providers/Microsoft.Insights/actionGroups/pager"]
    }
    emails          = { oncall = "oncall@example.com" }
    disabled_alerts = ["KvstoreAccountLimited"]
    runbook_url     = "https://wiki.example.com/alerts"
  }
  assert {
    condition = alltrue(flatten([for group in azurerm_monitor_alert_prometheus_rule_group.this : [
      for rule in group.rule : length(rule.action) == (rule.labels.severity == "critical" ? 2 : 0)
    ]]))
    error_message = "critical alerts go to the pager and by e-mail, warnings to nobody"
  }
  assert {
    condition = flatten([for group in azurerm_monitor_alert_prometheus_rule_group.this : [
      for rule in group.rule : rule.alert if !rule.enabled
    ]]) == ["KvstoreAccountLimited"]
    error_message = "the one that is disabled is off"
  }
  assert {
    condition     = one([for rule in azurerm_monitor_alert_prometheus_rule_group.this["kvstore-service"].rule : rule.annotations.runbook_url if rule.alert == "KvstoreStorageFails"]) == "https://wiki.example.com/alerts#kvstorestoragefails"
    error_message = "an alert links to its section"
  }
  assert {
    condition     = !contains(output.alerts["kvstore-data-plane"], "KvstoreAccountLimited")
    error_message = "the output has what is on"
  }
}

run "metrics_stay_in_the_network" {
  variables {
    private_link = {
      eu-1 = {
        location            = "germanywestcentral"
        resource_group_name = "kv-eu-1"
        subnet_id           = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/virtualNetworks/kv/subnets/endpoints"
      }
    }
  }
  assert {
    condition     = !azurerm_monitor_workspace.this.public_network_access_enabled && !azurerm_monitor_data_collection_endpoint.this.public_network_access_enabled
    error_message = "nothing of it is public"
  }
  assert {
    condition     = azurerm_monitor_private_link_scope.this[0].ingestion_access_mode == "PrivateOnly" && azurerm_private_endpoint.ingestion["eu-1"].private_service_connection[0].subresource_names[0] == "azuremonitor"
    error_message = "metrics come by the private endpoint"
  }
  assert {
    condition     = length(azurerm_private_endpoint.ingestion["eu-1"].private_dns_zone_group) == 0
    error_message = "zones are set where they are given"
  }
}

run "public_by_default_with_entra_id" {
  assert {
    condition     = length(azurerm_private_endpoint.ingestion) == 0 && azurerm_monitor_data_collection_endpoint.this.public_network_access_enabled
    error_message = "without private_link, over public endpoints"
  }
  assert {
    condition     = azurerm_dashboard_grafana.this[0].api_key_enabled == false && azurerm_role_assignment.grafana_reads[0].role_definition_name == "Monitoring Data Reader"
    error_message = "Grafana reads as its identity, and nobody has an API key for it"
  }
}

run "who_sends_and_who_looks" {
  variables {
    publisher_principal_ids = { prometheus = "11111111-2222-3333-4444-555555555555" }
    aks_cluster_ids         = { eu = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.ContainerService/managedClusters/kv" }
    grafana                 = { admin_principal_ids = { platform = "11111111-2222-3333-4444-666666666666" } }
    lock                    = { kind = "CanNotDelete" }
    role_assignments = {
      by_name = { role_definition_id_or_name = "Reader", principal_id = "11111111-2222-3333-4444-777777777777" }
      by_id   = { role_definition_id_or_name = "/subscriptions/0/providers/Microsoft.Authorization/roleDefinitions/1", principal_id = "11111111-2222-3333-4444-777777777777" }
    }
  }
  assert {
    condition     = azurerm_role_assignment.publisher["prometheus"].role_definition_name == "Monitoring Metrics Publisher"
    error_message = "who sends may send"
  }
  assert {
    condition     = endswith(azurerm_monitor_data_collection_rule_association.aks["eu"].target_resource_id, "managedClusters/kv")
    error_message = "the agents of AKS send here"
  }
  assert {
    condition     = azurerm_role_assignment.grafana["admin/platform"].role_definition_name == "Grafana Admin"
    error_message = "admins of Grafana are those given"
  }
  assert {
    condition     = azurerm_management_lock.this[0].lock_level == "CanNotDelete" && azurerm_management_lock.this[0].name == "kv-eu-1-lock"
    error_message = "the lock has a name"
  }
  assert {
    condition     = azurerm_role_assignment.this["by_name"].role_definition_name == "Reader" && endswith(azurerm_role_assignment.this["by_id"].role_definition_id, "/1")
    error_message = "a role is given by name or id"
  }
}

run "no_grafana" {
  variables {
    grafana = null
  }
  assert {
    condition     = length(azurerm_dashboard_grafana.this) == 0 && output.grafana_endpoint == null
    error_message = "Grafana can be left out"
  }
}

run "each_region_sends_by_an_endpoint_of_its_own" {
  variables {
    private_link = {
      eu-1 = {
        location             = "germanywestcentral"
        resource_group_name  = "kv-eu-1"
        subnet_id            = "/subscriptions/0/resourceGroups/kv-eu-1/providers/Microsoft.Network/virtualNetworks/eu-1/subnets/endpoints"
        private_dns_zone_ids = ["/subscriptions/0/resourceGroups/kv-eu-1/providers/Microsoft.Network/privateDnsZones/privatelink.monitor.azure.com"]
      }
      us-1 = {
        location             = "eastus2"
        resource_group_name  = "kv-us-1"
        subnet_id            = "/subscriptions/0/resourceGroups/kv-us-1/providers/Microsoft.Network/virtualNetworks/us-1/subnets/endpoints"
        private_dns_zone_ids = ["/subscriptions/0/resourceGroups/kv-us-1/providers/Microsoft.Network/privateDnsZones/privatelink.monitor.azure.com"]
      }
    }
    public_queries_enabled = true
  }
  assert {
    condition     = [for region, endpoint in azurerm_private_endpoint.ingestion : endpoint.location] == ["germanywestcentral", "eastus2"] && length(azurerm_monitor_private_link_scope.this) == 1
    error_message = "one scope for all, and an endpoint where machines are"
  }
  assert {
    condition     = alltrue([for region, endpoint in azurerm_private_endpoint.ingestion : endpoint.private_dns_zone_group[0].private_dns_zone_ids == tolist(var.private_link[region].private_dns_zone_ids)])
    error_message = "whose names are in the region's own zone"
  }
  assert {
    condition     = azurerm_monitor_workspace.this.public_network_access_enabled && !azurerm_monitor_data_collection_endpoint.this.public_network_access_enabled
    error_message = "Grafana asks over the public address; nobody sends there"
  }
}

run "machines_send_to_the_rule_of_the_workspace" {
  assert {
    condition     = output.remote_write_url == "${azurerm_monitor_data_collection_endpoint.this.metrics_ingestion_endpoint}/dataCollectionRules/${azurerm_monitor_data_collection_rule.this.immutable_id}/streams/Microsoft-PrometheusMetrics/api/v1/write?api-version=2023-04-24"
    error_message = "endpoint, rule and stream are in the URL"
  }
}

run "no_logs_unless_they_are_wanted" {
  assert {
    condition     = output.logs == null && length(azurerm_monitor_data_collection_rule.machines) == 0 && length(azurerm_monitor_data_collection_rule.pods) == 0
    error_message = "they cost by the GB"
  }
}

run "logs_of_machines_and_pods" {
  variables {
    logs            = { log_analytics_workspace_id = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.OperationalInsights/workspaces/log-eu-1" }
    aks_cluster_ids = { eu = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.ContainerService/managedClusters/kv" }
    private_link = {
      us-1 = {
        location            = "eastus2"
        resource_group_name = "kv-us-1"
        subnet_id           = "/subscriptions/0/resourceGroups/kv-us-1/providers/Microsoft.Network/virtualNetworks/us-1/subnets/endpoints"
      }
    }
  }
  assert {
    condition     = azurerm_monitor_data_collection_rule.machines[0].data_sources[0].syslog[0].facility_names == tolist(["daemon"]) && contains(azurerm_monitor_data_collection_rule.machines[0].data_sources[0].syslog[0].log_levels, "Info")
    error_message = "units write as daemons, and the journal says Info of all of it"
  }
  assert {
    condition     = azurerm_monitor_data_collection_rule_association.pods["eu"].name == "ContainerInsightsExtension" && jsondecode(azurerm_monitor_data_collection_rule.pods[0].data_sources[0].extension[0].extension_json).dataCollectionSettings.enableContainerLogV2
    error_message = "the agent of AKS finds its rule by this name"
  }
  assert {
    condition     = azurerm_monitor_private_link_scoped_service.logs[0].linked_resource_id == var.logs.log_analytics_workspace_id && azurerm_monitor_data_collection_endpoint.agents["us-1"].location == "eastus2"
    error_message = "a network without a way out reaches the workspace, and an endpoint of its own location"
  }
  assert {
    condition     = keys(output.logs) == ["public", "us-1"] && output.logs.public.data_collection_endpoint == null && output.logs["us-1"].data_collection_endpoint != null
    error_message = "what machines of each network take"
  }
}

run "a_replica_that_is_behind_is_an_alert" {
  command = plan

  variables {
    emails               = { oncall = "oncall@example.com" }
    database_replica_ids = { eu-2 = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/rg/providers/Microsoft.DBforPostgreSQL/flexibleServers/kv-standby" }
  }

  assert {
    condition     = azurerm_monitor_metric_alert.replica_lag["eu-2"].criteria[0].threshold == 300
    error_message = "5 minutes"
  }
  assert {
    condition     = length(azurerm_monitor_metric_alert.replica_lag["eu-2"].action) == 1
    error_message = "People on call are told."
  }
}

run "a_replica_that_is_no_database_is_refused" {
  command = plan

  variables {
    database_replica_ids = { eu-2 = "kv-standby" }
  }

  expect_failures = [var.database_replica_ids]
}

run "an_alert_that_there_is_not_is_refused" {
  command = plan
  variables {
    disabled_alerts = ["KvstoreAcountLimited"]
  }
  expect_failures = [var.disabled_alerts]
}

run "rules_without_severity_are_refused" {
  command = plan
  variables {
    rules_yaml = <<-EOT
      groups:
        - name: mine
          rules:
            - alert: Mine
              expr: up == 0
              labels: {severity: page}
              annotations: {summary: s, runbook: r}
    EOT
  }
  expect_failures = [azurerm_monitor_alert_prometheus_rule_group.this]
}

run "something_that_is_no_rules_file_is_refused" {
  command = plan
  variables {
    rules_yaml = "hello"
  }
  expect_failures = [var.rules_yaml]
}

run "an_id_of_something_else_is_refused" {
  command = plan
  variables {
    action_group_ids = { critical = ["/subscriptions/0/resourceGroups/ops"] }
  }
  expect_failures = [var.action_group_ids]
}

run "a_name_that_is_too_long_for_grafana_is_refused" {
  command = plan
  variables {
    name = "a-name-of-more-than-19"
  }
  expect_failures = [var.name]
}

run "a_client_id_is_no_resource_id" {
  command = plan
  variables {
    publisher_principal_ids = { prometheus = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.ManagedIdentity/userAssignedIdentities/x" }
  }
  expect_failures = [var.publisher_principal_ids]
}

run "grafana_of_another_time_is_refused" {
  command = plan
  variables {
    grafana = { major_version = "9" }
  }
  expect_failures = [var.grafana]
}

run "an_endpoint_in_no_subnet_is_refused" {
  command = plan
  variables {
    private_link = { eu-1 = { location = "germanywestcentral", resource_group_name = "kv", subnet_id = "endpoints" } }
  }
  expect_failures = [var.private_link]
}

run "a_network_called_public_is_refused" {
  command = plan
  variables {
    private_link = { public = { location = "germanywestcentral", resource_group_name = "kv", subnet_id = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/virtualNetworks/kv/subnets/endpoints" } }
  }
  expect_failures = [var.private_link]
}

run "an_eleventh_network_is_refused" {
  command = plan
  variables {
    private_link = { for number in range(11) : "eu-${number}" => { location = "germanywestcentral", resource_group_name = "kv", subnet_id = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/virtualNetworks/kv/subnets/endpoints" } }
  }
  expect_failures = [var.private_link]
}

run "logs_by_the_workspaces_name_are_refused" {
  command = plan
  variables {
    logs = { log_analytics_workspace_id = "log-eu-1" }
  }
  expect_failures = [var.logs]
}

run "a_runbook_of_no_address_is_refused" {
  command = plan
  variables {
    runbook_url = "wiki#alerts"
  }
  expect_failures = [var.runbook_url]
}

run "an_address_that_is_none_is_refused" {
  command = plan
  variables {
    emails = { oncall = "oncall" }
  }
  expect_failures = [var.emails]
}

run "a_lock_of_another_kind_is_refused" {
  command = plan
  variables {
    lock = { kind = "Forever" }
  }
  expect_failures = [var.lock]
}

run "a_location_for_people" {
  command = plan
  variables {
    location = "Germany West Central"
  }
  expect_failures = [var.location]
}

run "a_resource_group_by_its_id" {
  command = plan
  variables {
    resource_group_name = "/subscriptions/0/resourceGroups/kv"
  }
  expect_failures = [var.resource_group_name]
}

run "a_condition_without_version" {
  command = plan
  variables {
    role_assignments = { a = { role_definition_id_or_name = "Azure Kubernetes Service RBAC Reader", principal_id = "11111111-2222-3333-4444-777777777777", condition = "x" } }
  }
  expect_failures = [var.role_assignments]
}
