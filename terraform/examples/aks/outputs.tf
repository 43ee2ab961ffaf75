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

output "network" {
  description = "This region for `regions` of modules/peering, where the control plane's configuration calls it: data planes reach the control plane by it."
  value = {
    virtual_network_id  = module.region.virtual_network_id
    address_space       = module.region.address_space
    private_dns_zone_id = module.region.private_dns_zone_ids["data_planes"]
  }
}
