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
  value       = ["*.${local.release}-data-plane.${var.release.namespace}.svc.cluster.local:8085"]
}

output "helm_values" {
  description = "Values for the chart, deploy/helm/kvstore: write them to a file, and add certificates and secrets."
  value       = local.helm_values
}

output "helm_command" {
  description = "How to install the chart with them."
  value       = "helm upgrade --install ${var.release.name} deploy/helm/kvstore -n ${var.release.namespace} --create-namespace -f aks.yaml -f values.yaml"
}
