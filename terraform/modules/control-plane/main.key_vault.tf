resource "azurerm_key_vault" "this" {
  name                          = "${var.name}-kv"
  location                      = var.location
  resource_group_name           = var.resource_group_name
  tenant_id                     = var.entra_tenant_id
  sku_name                      = "standard"
  rbac_authorization_enabled    = true
  purge_protection_enabled      = true
  soft_delete_retention_days    = 90
  public_network_access_enabled = length(var.key_vault.allowed_ips) > 0
  tags                          = var.tags

  network_acls {
    default_action = "Deny"
    bypass         = "None"
    ip_rules       = var.key_vault.allowed_ips
  }
}

resource "azurerm_private_endpoint" "key_vault" {
  name                = "${var.name}-kv-pe"
  location            = var.location
  resource_group_name = var.resource_group_name
  subnet_id           = var.subnet_ids.endpoints
  tags                = var.tags

  private_service_connection {
    name                           = "${var.name}-kv"
    private_connection_resource_id = azurerm_key_vault.this.id
    subresource_names              = ["vault"]
    is_manual_connection           = false
  }

  private_dns_zone_group {
    name                 = "default"
    private_dns_zone_ids = [var.private_dns_zone_ids.vault]
  }
}

resource "azurerm_role_assignment" "reads_secrets" {
  scope                            = azurerm_key_vault.this.id
  role_definition_name             = "Key Vault Secrets User"
  principal_id                     = azurerm_user_assigned_identity.this.principal_id
  principal_type                   = "ServicePrincipal"
  skip_service_principal_aad_check = true
}

resource "azurerm_role_assignment" "administers_secrets" {
  for_each = var.key_vault.administrator_principal_ids

  scope                = azurerm_key_vault.this.id
  role_definition_name = "Key Vault Administrator"
  principal_id         = each.value
}

# Azure says that a right is given minutes before it works.
resource "terraform_data" "secrets_can_be_written" {
  count = length(var.key_vault.administrator_principal_ids) > 0 && var.key_vault.role_wait_seconds > 0 ? 1 : 0

  triggers_replace = [for assignment in azurerm_role_assignment.administers_secrets : assignment.id]

  provisioner "local-exec" {
    command = "sleep ${var.key_vault.role_wait_seconds}"
  }
}

resource "azurerm_key_vault_secret" "environment" {
  name             = local.environment_secret
  key_vault_id     = azurerm_key_vault.this.id
  content_type     = "text/plain"
  value_wo_version = var.secrets_version
  value_wo = join("\n", concat(
    ["KVSTORE_DB_PASSWORD=${var.secrets.database_password}"],
    var.secrets.admin_token == null ? [] : ["KVSTORE_ADMIN_TOKEN=${var.secrets.admin_token}"]
  ))
  tags = var.tags

  # Whoever applies this may write it from when these are there.
  depends_on = [azurerm_role_assignment.administers_secrets, azurerm_private_endpoint.key_vault, terraform_data.secrets_can_be_written]
}
