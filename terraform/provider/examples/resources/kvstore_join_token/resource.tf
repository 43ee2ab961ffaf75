# The secret is in no state and no plan.
ephemeral "random_password" "eu_1_a" {
  length  = 43
  special = false
}

resource "kvstore_join_token" "eu_1_a" {
  cluster           = kvstore_cluster.eu_1_a.name
  label             = "data planes of eu-1-a"
  expires_at        = "2030-01-31T00:00:00Z"
  secret_wo         = ephemeral.random_password.eu_1_a.result
  secret_wo_version = 1
}

# In the same run the whole token goes to where data planes find it.
resource "azurerm_key_vault_secret" "eu_1_a" {
  name             = "join-token"
  key_vault_id     = azurerm_key_vault.acme.id
  value_wo         = "kvj_${kvstore_join_token.eu_1_a.id}_${ephemeral.random_password.eu_1_a.result}"
  value_wo_version = 1
}

# Without secret_wo the control plane makes the secret, and the state holds it.
resource "kvstore_join_token" "lab" {
  cluster = kvstore_cluster.eu_1_a.name
  label   = "a machine in the lab"
}

output "lab" {
  value     = kvstore_join_token.lab.token
  sensitive = true
}
