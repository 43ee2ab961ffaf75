# "acme"
output "name" {
  value = provider::kvstore::parse_resource_name("https://acme.blob.core.windows.net/blocks").name
}
