output "resource_id" {
  description = "Id of the scale set."
  value       = azurerm_orchestrated_virtual_machine_scale_set.this.id
}

output "name" {
  description = "Name of the cluster, as it was given."
  value       = var.name
}

output "scale_set_id" {
  description = "Id of the scale set; the same as `resource_id`."
  value       = azurerm_orchestrated_virtual_machine_scale_set.this.id
}

output "load_balancer_id" {
  description = "Id of the load balancer."
  value       = azurerm_lb.this.id
}

output "load_balancer_frontend_id" {
  description = "Id of the load balancer's frontend."
  value       = azurerm_lb.this.frontend_ip_configuration[0].id
}

output "private_link_service_id" {
  description = "Id of the Private Link service; null without one."
  value       = one(azurerm_private_link_service.this[*].id)
}

output "private_link_service_alias" {
  description = "Alias of the Private Link service, by which customers ask for a connection; null without one."
  value       = one(azurerm_private_link_service.this[*].alias)
}

output "identity_id" {
  description = "Id of the machines' identity."
  value       = azurerm_user_assigned_identity.this.id
}

output "identity_principal_id" {
  description = "Principal of the machines' identity: the one that gets rights at customers' containers."
  value       = azurerm_user_assigned_identity.this.principal_id
}

output "identity_client_id" {
  description = "Client id of the machines' identity."
  value       = azurerm_user_assigned_identity.this.client_id
}

output "host" {
  description = "Name of the cluster in the private DNS zone. As `advertised_address` of `kvstore_cluster` it sends clients through the load balancer."
  value       = local.host
}

output "endpoints" {
  description = "Name and port of each data plane behind the load balancer."
  value       = [for port in values(local.ports) : "${local.host}:${port}"]
}

output "address_patterns" {
  description = "For `addresses` of `kvstore_cluster`: the addresses at which its data planes may register."
  value       = ["*.${local.zone_name}:${var.first_port}-${var.first_port + var.numa_node_count - 1}"]
}

output "cloud_init" {
  description = "What machines do at their first start. It has no secrets."
  value       = local.cloud_init
}
