output "control_plane" {
  description = "URL of the REST API and address of gRPC, within the networks."
  value       = { rest = module.control_plane.rest_endpoint, grpc = module.control_plane.grpc_endpoint }
}

output "key_vault_id" {
  description = "Where certificates belong before stage 2."
  value       = module.control_plane.key_vault_id
}

output "standby_key_vault_id" {
  description = "Where the same certificates belong for the standby; null without one."
  value       = one(module.standby[*].key_vault_id)
}

output "certificates" {
  description = "Certificates that the key vault needs before stage 2, by name: for which name each must be good."
  value = merge(
    { kv-control = local.control_plane_host },
    { for name, domain in local.domains : "kv-tls-${name}" => "*.${domain}" }
  )
}

output "packer_variables" {
  description = "For Packer, before stage 2: `terraform output -json packer_variables > machine.auto.pkrvars.json`."
  value       = module.machine_image.packer_variables
}

output "cluster_endpoints" {
  description = "Data planes behind each region's load balancer."
  value       = { for name, cluster in module.cluster : name => cluster.endpoints }
}

output "keys" {
  description = "API keys by customer."
  value       = { for name, customer in module.customer : name => customer.keys[name] }
  sensitive   = true
}
