resource "azurerm_kubernetes_cluster" "this" {
  name                              = var.name
  location                          = var.location
  resource_group_name               = var.resource_group_name
  dns_prefix                        = var.name
  kubernetes_version                = var.kubernetes_version
  sku_tier                          = "Standard"
  private_cluster_enabled           = var.private_cluster_enabled
  private_dns_zone_id               = var.private_cluster_enabled ? "System" : null
  oidc_issuer_enabled               = true
  workload_identity_enabled         = true
  local_account_disabled            = true
  role_based_access_control_enabled = true
  azure_policy_enabled              = true
  image_cleaner_enabled             = true
  image_cleaner_interval_hours      = 168
  automatic_upgrade_channel         = "patch"
  node_os_upgrade_channel           = "NodeImage"
  tags                              = var.tags

  default_node_pool {
    name                        = "system"
    vm_size                     = var.system_nodes.vm_size
    node_count                  = var.system_nodes.node_count
    zones                       = length(var.system_nodes.zones) == 0 ? null : var.system_nodes.zones
    vnet_subnet_id              = var.subnet_id
    pod_subnet_id               = try(var.pod_subnet.id, null)
    os_sku                      = "AzureLinux"
    host_encryption_enabled     = true
    temporary_name_for_rotation = "systemtmp"
    max_pods                    = 110
    tags                        = var.tags

    upgrade_settings {
      max_surge = "1"
    }
  }

  identity {
    type         = "UserAssigned"
    identity_ids = [azurerm_user_assigned_identity.cluster.id]
  }

  kubelet_identity {
    client_id                 = azurerm_user_assigned_identity.nodes.client_id
    object_id                 = azurerm_user_assigned_identity.nodes.principal_id
    user_assigned_identity_id = azurerm_user_assigned_identity.nodes.id
  }

  network_profile {
    network_plugin      = "azure"
    network_plugin_mode = var.pod_subnet == null ? "overlay" : null
    network_data_plane  = "cilium"
    network_policy      = "cilium"
    outbound_type       = var.outbound_type
    load_balancer_sku   = "standard"
    service_cidr        = var.service_cidr
    dns_service_ip      = cidrhost(var.service_cidr, 10)
  }

  dynamic "api_server_access_profile" {
    for_each = var.private_cluster_enabled ? [] : [var.api_server_authorized_ip_ranges]

    content {
      authorized_ip_ranges = api_server_access_profile.value
    }
  }

  azure_active_directory_role_based_access_control {
    azure_rbac_enabled     = true
    admin_group_object_ids = tolist(var.admin_group_object_ids)
  }

  # The agent of Azure Monitor scrapes Prometheus' metrics; the module monitoring says to where.
  monitor_metrics {}

  dynamic "oms_agent" {
    for_each = var.logs == null ? [] : [var.logs.log_analytics_workspace_id]

    content {
      log_analytics_workspace_id      = oms_agent.value
      msi_auth_for_monitoring_enabled = true
    }
  }

  maintenance_window_auto_upgrade {
    frequency   = "Weekly"
    interval    = 1
    day_of_week = "Sunday"
    start_time  = "03:00"
    utc_offset  = "+00:00"
    duration    = 4
  }

  maintenance_window_node_os {
    frequency   = "Weekly"
    interval    = 1
    day_of_week = "Sunday"
    start_time  = "03:00"
    utc_offset  = "+00:00"
    duration    = 8
  }

  lifecycle {
    # Patches come by themselves.
    ignore_changes = [kubernetes_version, default_node_pool[0].orchestrator_version]
  }

  # It makes network interfaces and balancers in the subnets from the first moment.
  depends_on = [azurerm_role_assignment.network, azurerm_role_assignment.pod_network, azurerm_role_assignment.hands_out_node_identity]
}

resource "azurerm_management_lock" "this" {
  count = var.lock == null ? 0 : 1

  name       = coalesce(try(var.lock.name, null), "${var.name}-lock")
  scope      = azurerm_kubernetes_cluster.this.id
  lock_level = var.lock.kind
}

# Of the API server, the scheduler and who did what.
resource "azurerm_monitor_diagnostic_setting" "this" {
  for_each = var.diagnostic_settings

  name                           = coalesce(each.value.name, "${var.name}-${each.key}")
  target_resource_id             = azurerm_kubernetes_cluster.this.id
  log_analytics_workspace_id     = each.value.workspace_resource_id
  log_analytics_destination_type = each.value.workspace_resource_id == null ? null : each.value.log_analytics_destination_type
  storage_account_id             = each.value.storage_account_resource_id
  eventhub_authorization_rule_id = each.value.event_hub_authorization_rule_resource_id
  eventhub_name                  = each.value.event_hub_name
  partner_solution_id            = each.value.marketplace_partner_resource_id

  dynamic "enabled_log" {
    for_each = each.value.log_groups

    content {
      category_group = enabled_log.value
    }
  }

  dynamic "enabled_log" {
    for_each = each.value.log_categories

    content {
      category = enabled_log.value
    }
  }

  dynamic "enabled_metric" {
    for_each = each.value.metric_categories

    content {
      category = enabled_metric.value
    }
  }
}
