resource "azurerm_resource_group" "this" {
  count = var.create_resource_group ? 1 : 0

  name     = coalesce(var.resource_group_name, "rg-${var.name}")
  location = var.location
  tags     = var.tags
}

resource "azurerm_log_analytics_workspace" "this" {
  count = var.create_log_analytics_workspace ? 1 : 0

  name                         = "log-${var.name}"
  location                     = var.location
  resource_group_name          = local.resource_group_name
  sku                          = "PerGB2018"
  retention_in_days            = var.log_retention_in_days
  local_authentication_enabled = false
  tags                         = var.tags
}

resource "azurerm_monitor_diagnostic_setting" "this" {
  for_each = var.diagnostic_settings

  name                           = coalesce(each.value.name, "diag-${var.name}-${each.key}")
  target_resource_id             = azurerm_virtual_network.this.id
  log_analytics_workspace_id     = each.value.workspace_resource_id
  log_analytics_destination_type = each.value.workspace_resource_id == null ? null : each.value.log_analytics_destination_type
  storage_account_id             = each.value.storage_account_resource_id
  eventhub_authorization_rule_id = each.value.event_hub_authorization_rule_resource_id
  eventhub_name                  = each.value.event_hub_name
  partner_solution_id            = each.value.marketplace_partner_resource_id

  dynamic "enabled_log" {
    for_each = each.value.log_categories
    content {
      category = enabled_log.value
    }
  }

  dynamic "enabled_log" {
    for_each = each.value.log_groups
    content {
      category_group = enabled_log.value
    }
  }

  dynamic "enabled_metric" {
    for_each = each.value.metric_categories
    content {
      category = enabled_metric.value
    }
  }
}

resource "azurerm_role_assignment" "this" {
  for_each = var.role_assignments

  scope                                  = local.resource_group_id
  principal_id                           = each.value.principal_id
  principal_type                         = each.value.principal_type
  role_definition_id                     = strcontains(lower(each.value.role_definition_id_or_name), lower(local.role_definition_prefix)) ? each.value.role_definition_id_or_name : null
  role_definition_name                   = strcontains(lower(each.value.role_definition_id_or_name), lower(local.role_definition_prefix)) ? null : each.value.role_definition_id_or_name
  description                            = each.value.description
  condition                              = each.value.condition
  condition_version                      = each.value.condition_version
  skip_service_principal_aad_check       = each.value.skip_service_principal_aad_check
  delegated_managed_identity_resource_id = each.value.delegated_managed_identity_resource_id
}

# Last, and taken away first: it would refuse the deletion of subnets and peerings.
resource "azurerm_management_lock" "this" {
  count = var.lock == null ? 0 : 1

  name       = coalesce(var.lock.name, "lock-${var.name}")
  scope      = azurerm_virtual_network.this.id
  lock_level = var.lock.kind
  notes      = "Of KV Store's region ${var.name}."

  depends_on = [
    azurerm_bastion_host.this,
    azurerm_monitor_diagnostic_setting.this,
    azurerm_subnet_nat_gateway_association.this,
    azurerm_subnet_network_security_group_association.this,
    azurerm_virtual_network_peering.this,
  ]
}
