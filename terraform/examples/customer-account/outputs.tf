output "account" {
  description = "The resource that clients name, once it is ready."
  value       = kvstore_account_ready.this.account
}

output "key" {
  description = "API key of the engines. It is in the state: keep that as you keep the key."
  value       = module.registration.keys["engines"]
  sensitive   = true
}

output "storage_account_id" {
  description = "For KV Store's platform team, which makes a private endpoint to it."
  value       = azurerm_storage_account.this.id
}
