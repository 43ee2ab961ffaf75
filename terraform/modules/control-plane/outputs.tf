output "resource_id" {
  description = "Id of the database, which is what the control plane is."
  value       = azurerm_postgresql_flexible_server.this.id
}

output "name" {
  description = "Name of the control plane."
  value       = var.name
}

output "grpc_endpoint" {
  description = "Where data planes and clients find it, HOST:PORT; null without machines."
  value       = local.with_machines ? "${var.host}:${local.grpc_port}" : null
}

output "rest_endpoint" {
  description = "URL of the REST API within the network; null without machines."
  value       = local.with_machines ? "https://${var.host}:${local.rest_port}" : null
}

output "public_rest_endpoint" {
  description = "URL of the REST API by Front Door; null without it."
  value       = var.front_door == null ? null : "https://${azurerm_cdn_frontdoor_endpoint.this[0].host_name}"
}

output "postgresql_id" {
  description = "Id of the database server."
  value       = azurerm_postgresql_flexible_server.this.id
}

output "jdbc_url" {
  description = "URL of the database for a control plane that runs elsewhere. It holds no secret."
  value       = local.jdbc_url
}

output "key_vault_id" {
  description = "Id of the key vault."
  value       = azurerm_key_vault.this.id
}

output "key_vault_uri" {
  description = "URL of the key vault."
  value       = azurerm_key_vault.this.vault_uri
}

output "identity_id" {
  description = "Id of the identity of the control plane."
  value       = azurerm_user_assigned_identity.this.id
}

output "identity_client_id" {
  description = "Client id of the identity, as for workload identity."
  value       = azurerm_user_assigned_identity.this.client_id
}

output "identity_principal_id" {
  description = "Principal id of the identity: `publisher_principal_ids` of the module `monitoring`."
  value       = azurerm_user_assigned_identity.this.principal_id
}

output "scale_set_id" {
  description = "Id of the scale set; null without machines."
  value       = one(azurerm_orchestrated_virtual_machine_scale_set.this[*].id)
}

output "private_link_service_id" {
  description = "Id of the Private Link Service; null without one."
  value       = one(azurerm_private_link_service.this[*].id)
}

output "private_link_service_alias" {
  description = "Alias of the Private Link Service, for other tenants; null without one."
  value       = one(azurerm_private_link_service.this[*].alias)
}

output "cloud_init" {
  description = "What a machine does at its first start. It holds no secret."
  value       = local.cloud_init
}
