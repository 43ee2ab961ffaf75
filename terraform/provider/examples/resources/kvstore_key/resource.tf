# The secret is in no state and no plan. To rotate, raise secret_wo_version.
ephemeral "random_password" "writer" {
  length  = 43
  special = false
}

resource "kvstore_key" "writer" {
  tenant            = kvstore_tenant.acme.name
  label             = "writer"
  secret_wo         = ephemeral.random_password.writer.result
  secret_wo_version = 1
  rotation_overlap  = "24h"
}

# In the same run the whole key goes to where its users find it.
resource "azurerm_key_vault_secret" "writer" {
  name             = "kv-writer"
  key_vault_id     = azurerm_key_vault.acme.id
  value_wo         = "kv_${kvstore_key.writer.id}_${ephemeral.random_password.writer.result}"
  value_wo_version = 1
}

# Without secret_wo the provider makes the secret, and the state holds it.
resource "kvstore_key" "reader" {
  tenant     = kvstore_tenant.acme.name
  label      = "reader"
  expires_at = "2030-01-31T00:00:00Z"
}

output "reader" {
  value     = kvstore_key.reader.key
  sensitive = true
}
