output "helm_values" {
  description = "terraform output -raw helm_values > aks.yaml"
  value       = module.aks.helm_values
}

output "helm_command" {
  description = "How to install the chart."
  value       = module.aks.helm_command
}

output "join_token" {
  description = "For the secret that the chart's `dataPlane.joinTokenSecret` names, key `join-token`."
  value       = module.registration.join_tokens["${var.name}-a/first"]
  sensitive   = true
}

output "identity_principal_id" {
  description = "Whom tenants let into their containers."
  value       = module.aks.identity_principal_id
}

output "grafana" {
  description = "URL of Grafana."
  value       = module.monitoring.grafana_endpoint
}

output "external_dns_values" {
  description = "Values for the chart of external-dns."
  value       = module.aks.external_dns_values
}

output "resource_group_name" {
  description = "Group of the AKS cluster, as for `az aks get-credentials`."
  value       = module.region.resource_group_name
}
