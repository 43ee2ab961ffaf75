output "control_plane" {
  description = "URL of the REST API and address of gRPC, within the network."
  value       = { rest = module.control_plane.rest_endpoint, grpc = module.control_plane.grpc_endpoint }
}

output "key_vault_id" {
  description = "Where certificates belong before stage 2."
  value       = module.control_plane.key_vault_id
}

output "cluster_endpoints" {
  description = "Data planes behind the load balancer."
  value       = local.with_cluster ? module.cluster[0].endpoints : []
}

output "private_link_service_alias" {
  description = "What customers need for a private endpoint."
  value       = local.with_cluster ? module.cluster[0].private_link_service_alias : null
}

output "identity_principal_id" {
  description = "Who gets rights at customers' containers."
  value       = local.with_cluster ? module.cluster[0].identity_principal_id : null
}

output "cloud_init" {
  description = "What the cluster's machines do at their first start."
  value       = local.with_cluster ? module.cluster[0].cloud_init : null
}

output "keys" {
  description = "API keys by name."
  value       = local.with_cluster ? module.registration[0].keys : {}
  sensitive   = true
}
