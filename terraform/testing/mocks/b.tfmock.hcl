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
    # That of 128 GiB, and a zone: azurerm plans a change of others.
    storage_tier = "P10"
    zone         = "1"
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

mock_resource "azurerm_monitor_workspace" {
  defaults = {
    id = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mocked/providers/Microsoft.Monitor/accounts/mocked"
  }
}

mock_resource "azurerm_monitor_data_collection_endpoint" {
  defaults = {
    id = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mocked/providers/Microsoft.Insights/dataCollectionEndpoints/mocked"

    metrics_ingestion_endpoint = "https://mocked.metrics.ingest.monitor.azure.com"
  }
}

mock_resource "azurerm_monitor_data_collection_rule" {
  defaults = {
    id = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mocked/providers/Microsoft.Insights/dataCollectionRules/mocked"
  }
}

mock_resource "azurerm_monitor_private_link_scope" {
  defaults = {
    id = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mocked/providers/Microsoft.Insights/privateLinkScopes/mocked"
  }
}

mock_resource "azurerm_dashboard_grafana" {
  defaults = {
    id = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mocked/providers/Microsoft.Dashboard/grafana/mocked"
  }
}

mock_resource "azurerm_cdn_frontdoor_profile" {
  defaults = {
    id = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mocked/providers/Microsoft.Cdn/profiles/mocked"
  }
}

mock_resource "azurerm_cdn_frontdoor_endpoint" {
  defaults = {
    id = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mocked/providers/Microsoft.Cdn/profiles/mocked/afdEndpoints/mocked"
  }
}

mock_resource "azurerm_cdn_frontdoor_origin_group" {
  defaults = {
    id = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mocked/providers/Microsoft.Cdn/profiles/mocked/originGroups/mocked"
  }
}

mock_resource "azurerm_cdn_frontdoor_origin" {
  defaults = {
    id = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mocked/providers/Microsoft.Cdn/profiles/mocked/originGroups/mocked/origins/mocked"
  }
}

mock_resource "azurerm_cdn_frontdoor_firewall_policy" {
  defaults = {
    id = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mocked/providers/Microsoft.Network/frontDoorWebApplicationFirewallPolicies/mocked"
  }
}
