# Of PostgreSQL, key vaults, AKS, monitoring and identities: ids of the form that Azure gives, since modules refuse others.

mock_resource "azurerm_kubernetes_cluster" {
  defaults = {
    id              = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mocked/providers/Microsoft.ContainerService/managedClusters/mocked"
    oidc_issuer_url = "https://mocked.oic.prod-aks.azure.com/mocked/"
  }
}

mock_resource "azurerm_postgresql_flexible_server" {
  defaults = {
    id   = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mocked/providers/Microsoft.DBforPostgreSQL/flexibleServers/mocked"
    fqdn = "mocked.postgres.database.azure.com"
  }
}

mock_resource "azurerm_key_vault" {
  defaults = {
    id        = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mocked/providers/Microsoft.KeyVault/vaults/mocked"
    vault_uri = "https://mocked.vault.azure.net/"
  }
}

mock_resource "azurerm_monitor_action_group" {
  defaults = {
    id = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mocked/providers/Microsoft.Insights/actionGroups/mocked"
  }
}
