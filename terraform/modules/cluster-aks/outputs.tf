output "resource_id" {
  description = "Id of the AKS cluster: `aks_cluster_ids` of `monitoring`."
  value       = azurerm_kubernetes_cluster.this.id
}

output "name" {
  description = "Name of the AKS cluster, as for `az aks get-credentials`."
  value       = azurerm_kubernetes_cluster.this.name
}

output "identity_id" {
  description = "Id of the identity of the data planes."
  value       = azurerm_user_assigned_identity.this.id
}

output "identity_principal_id" {
  description = "Principal id of the identity of the data planes: `principal_ids` of `customer-access`."
  value       = azurerm_user_assigned_identity.this.principal_id
}

output "oidc_issuer_url" {
  description = "Who issues the tokens of service accounts, for further federated credentials."
  value       = azurerm_kubernetes_cluster.this.oidc_issuer_url
}

output "node_pool_id" {
  description = "Id of the node pool of data planes."
  value       = azurerm_kubernetes_cluster_node_pool.data.id
}

output "addresses" {
  description = "Patterns of the addresses at which data planes of the chart register: `clusters[...].addresses` of `registration`."
  value       = ["*.${coalesce(var.domain, "${local.release}-data-plane.${var.release.namespace}.svc.cluster.local")}:8085"]
}

output "external_dns_values" {
  description = "Values for the chart of external-dns; null without `external_dns`."
  value = var.external_dns == null ? null : yamlencode({
    provider       = { name = "azure-private-dns" }
    sources        = ["service"]
    domainFilters  = [element(split("/", var.external_dns.private_dns_zone_id), 8)]
    txtOwnerId     = var.name
    serviceAccount = { name = var.external_dns.service_account, labels = { "azure.workload.identity/use" = "true" }, annotations = { "azure.workload.identity/client-id" = azurerm_user_assigned_identity.external_dns[0].client_id } }
    podLabels      = { "azure.workload.identity/use" = "true" }
    secretConfiguration = {
      enabled   = true
      mountPath = "/etc/kubernetes/"
      data = {
        "azure.json" = jsonencode({
          subscriptionId               = element(split("/", var.external_dns.private_dns_zone_id), 2)
          resourceGroup                = element(split("/", var.external_dns.private_dns_zone_id), 4)
          useWorkloadIdentityExtension = true
        })
      }
    }
  })
}

output "helm_values" {
  description = "Values for the chart, deploy/helm/kvstore: write them to a file, and add certificates and secrets."
  value       = local.helm_values
}

output "helm_command" {
  description = "How to install the chart with them."
  value       = "helm upgrade --install ${var.release.name} deploy/helm/kvstore -n ${var.release.namespace} --create-namespace -f aks.yaml -f values.yaml"
}
