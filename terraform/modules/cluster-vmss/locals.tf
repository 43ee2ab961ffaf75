locals {
  # Names, types and ranges, of the programs themselves.
  known_settings = jsondecode(file("${path.module}/../../../deploy/helm/kvstore/settings.json"))

  zone_name                = element(split("/", var.private_dns_zone_id), 8)
  zone_resource_group_name = element(split("/", var.private_dns_zone_id), 4)
  host                     = "${var.name}.${local.zone_name}"

  # A data plane on each NUMA node: gRPC port, and health and metrics 1,000 above.
  ports      = { for index in range(var.numa_node_count) : tostring(var.first_port + index) => var.first_port + index }
  http_above = 1000
  # One address of health for the whole machine, as the unit kv-node has it.
  machine_health_port = 9084

  frontend = "frontend"

  # They do not follow the number of machines: azurerm replaces the scale set, and so all machines at once, when a percentage changes. Azure
  # takes one machine where a percentage is less than one. Half may be ill, which is one of two: less would
  # end each upgrade of two machines.
  batch_percent     = coalesce(var.upgrade.max_batch_percent, 20)
  unhealthy_percent = coalesce(var.upgrade.max_unhealthy_percent, 50)

  role_definition_prefix = "/providers/Microsoft.Authorization/roleDefinitions/"
}
