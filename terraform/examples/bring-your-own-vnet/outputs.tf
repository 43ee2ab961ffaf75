output "endpoints" {
  description = "Data planes behind the load balancer."
  value       = module.cluster.endpoints
}

output "identity_principal_id" {
  description = "Who needs *Key Vault Secrets User* at the vault, and rights at customers' containers."
  value       = module.cluster.identity_principal_id
}
