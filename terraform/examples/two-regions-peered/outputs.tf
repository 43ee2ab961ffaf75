output "cluster_endpoints" {
  description = "Data planes behind the load balancers, by region."
  value       = { for region, cluster in module.cluster : region => cluster.endpoints }
}

output "identity_principal_ids" {
  description = "Who gets rights at customers' containers, by region."
  value       = { for region, cluster in module.cluster : region => cluster.identity_principal_id }
}
