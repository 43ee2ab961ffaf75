resource "azurerm_monitor_workspace" "this" {
  name                          = var.name
  location                      = var.location
  resource_group_name           = var.resource_group_name
  public_network_access_enabled = !local.is_private || var.public_queries_enabled
  tags                          = var.tags
}

resource "azurerm_management_lock" "this" {
  count = var.lock == null ? 0 : 1

  name       = coalesce(try(var.lock.name, null), "${var.name}-lock")
  scope      = azurerm_monitor_workspace.this.id
  lock_level = var.lock.kind
  notes      = var.lock.kind == "CanNotDelete" ? "Take the lock away before you delete the workspace." : "Take the lock away before you change or delete the workspace."
}

resource "azurerm_role_assignment" "this" {
  for_each = var.role_assignments

  scope                                  = azurerm_monitor_workspace.this.id
  principal_id                           = each.value.principal_id
  role_definition_id                     = strcontains(lower(each.value.role_definition_id_or_name), "/roledefinitions/") ? each.value.role_definition_id_or_name : null
  role_definition_name                   = strcontains(lower(each.value.role_definition_id_or_name), "/roledefinitions/") ? null : each.value.role_definition_id_or_name
  description                            = each.value.description
  skip_service_principal_aad_check       = each.value.skip_service_principal_aad_check
  condition                              = each.value.condition
  condition_version                      = each.value.condition_version
  delegated_managed_identity_resource_id = each.value.delegated_managed_identity_resource_id
  principal_type                         = each.value.principal_type
}
