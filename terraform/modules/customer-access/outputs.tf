output "role_assignment_ids" {
  description = "Ids of the rights on containers, by `CONTAINER/PRINCIPAL`. They work after some minutes."
  value       = { for name, assignment in azurerm_role_assignment.container : name => assignment.id }
}

output "proof_ids" {
  description = "Ids of the blobs that prove containers, by name: `triggers` of `kvstore_account_ready`, so that it waits for them."
  value       = { for name, blob in azurerm_storage_blob.proof : name => blob.id }
}

output "storage_endpoint_ids" {
  description = "Ids of the private endpoints of storage accounts, by name."
  value       = { for name, endpoint in azurerm_private_endpoint.storage : name => endpoint.id }
}

output "service_endpoint_ids" {
  description = "Ids of the private endpoints of KV Store, by name."
  value       = { for name, endpoint in azurerm_private_endpoint.service : name => endpoint.id }
}

output "hosts" {
  description = "Names at which clients find KV Store, by endpoint."
  value       = { for name, _ in local.named : name => var.service_endpoints[name].host }
}

output "private_dns_zone_ids" {
  description = "Ids of the zones that were made, by their names."
  value       = { for name, zone in azurerm_private_dns_zone.service : name => zone.id }
}

output "peering_ids" {
  description = "Ids of this side of the peerings, by name."
  value       = { for name, peering in azurerm_virtual_network_peering.this : name => peering.id }
}
