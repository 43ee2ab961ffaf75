data "kvstore_server" "this" {}

output "server_version" {
  value = data.kvstore_server.this.version
}
