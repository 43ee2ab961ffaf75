output "resource_id" {
  description = "Id of the virtual network."
  value       = azurerm_virtual_network.this.id
}

output "name" {
  description = "Name of the region, as it was given."
  value       = var.name
}

output "location" {
  description = "Azure's name of the location."
  value       = var.location
}

output "resource_group_id" {
  description = "Id of the resource group."
  value       = local.resource_group_id
}

output "resource_group_name" {
  description = "Name of the resource group."
  value       = local.resource_group_name
}

output "virtual_network_id" {
  description = "Id of the virtual network; the same as `resource_id`."
  value       = azurerm_virtual_network.this.id
}

output "address_space" {
  description = "Address range of the virtual network: for the `peerings` of others."
  value       = var.address_space
}

output "subnet_ids" {
  description = "Ids of the subnets `data`, `endpoints`, `link` and `postgres`, and of `bastion` where there is one."
  value       = { for key, subnet in azurerm_subnet.this : key => subnet.id }
}

output "subnet_address_prefixes" {
  description = "Ranges of the subnets `data`, `endpoints`, `link` and `postgres`, and of `bastion` where there is one."
  value       = local.subnets
}

output "private_dns_zone_ids" {
  description = "Ids of the private DNS zones `blob`, `vault`, `postgres`, `data_planes`, `monitor`, `monitor_oms`, `monitor_ods` and `monitor_agent`, made here or given."
  value       = local.zone_ids

  # A database is refused whose zone is not linked to its network yet.
  depends_on = [azurerm_private_dns_zone_virtual_network_link.this]
}

output "monitor_private_dns_zone_ids" {
  description = "Those of the zones in which a private endpoint of Azure Monitor has its names: for `private_link` of the module `monitoring`."
  value       = [for zone in ["monitor", "monitor_oms", "monitor_ods", "monitor_agent", "blob"] : local.zone_ids[zone]]
}

output "outbound_access" {
  description = "Whether machines reach the internet, by a NAT gateway: for `outbound_access` of the module `control-plane`."
  value       = var.nat_gateway != null
}

output "bastion_name" {
  description = "Name of the bastion: for `az network bastion tunnel`. Null without one."
  value       = var.bastion == null ? null : azurerm_bastion_host.this[0].name
}

output "log_analytics_workspace_id" {
  description = "Id of the Log Analytics workspace, made here or given."
  value       = var.create_log_analytics_workspace ? azurerm_log_analytics_workspace.this[0].id : var.log_analytics_workspace_id
}
