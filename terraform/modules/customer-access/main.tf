resource "azurerm_role_assignment" "container" {
  for_each = local.rights

  scope                            = each.value.scope
  role_definition_name             = each.value.role
  principal_id                     = each.value.principal
  principal_type                   = "ServicePrincipal"
  skip_service_principal_aad_check = true
  description                      = "Data planes of KV Store"
}

resource "azurerm_storage_blob" "proof" {
  for_each = var.proofs

  name                   = each.value.blob
  storage_account_name   = local.container_parts[each.value.container].account
  storage_container_name = local.container_parts[each.value.container].container
  type                   = "Block"
  content_type           = "text/plain"
  source_content         = each.value.content
}

resource "azurerm_private_endpoint" "storage" {
  for_each = var.storage_endpoints

  name                = "${var.name}-${each.key}-blob"
  location            = var.location
  resource_group_name = var.resource_group_name
  subnet_id           = each.value.subnet_id
  tags                = var.tags

  private_service_connection {
    name                           = "${var.name}-${each.key}-blob"
    private_connection_resource_id = each.value.storage_account_id
    subresource_names              = ["blob"]
    is_manual_connection           = each.value.approval_message != null
    request_message                = each.value.approval_message
  }

  dynamic "private_dns_zone_group" {
    for_each = length(each.value.private_dns_zone_ids) == 0 ? [] : ["default"]

    content {
      name                 = private_dns_zone_group.value
      private_dns_zone_ids = tolist(each.value.private_dns_zone_ids)
    }
  }
}
