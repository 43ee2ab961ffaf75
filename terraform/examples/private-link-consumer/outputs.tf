output "hosts" {
  description = "Names at which clients find KV Store."
  value       = module.kvstore.hosts
}
