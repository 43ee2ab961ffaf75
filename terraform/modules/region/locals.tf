locals {
  resource_group_name = var.create_resource_group ? azurerm_resource_group.this[0].name : var.resource_group_name
  # The group's id without a lookup: the network lies in it.
  resource_group_id = var.create_resource_group ? azurerm_resource_group.this[0].id : join("/", slice(split("/", azurerm_virtual_network.this.id), 0, 5))

  subnets = merge({
    data      = coalesce(var.subnet_address_prefixes.data, cidrsubnet(var.address_space, 4, 0))
    endpoints = coalesce(var.subnet_address_prefixes.endpoints, cidrsubnet(var.address_space, 8, 16))
    link      = coalesce(var.subnet_address_prefixes.link, cidrsubnet(var.address_space, 8, 17))
    postgres  = coalesce(var.subnet_address_prefixes.postgres, cidrsubnet(var.address_space, 8, 18))
    }, var.bastion == null ? {} : {
    bastion = coalesce(var.subnet_address_prefixes.bastion, cidrsubnet(var.address_space, 8, 19))
  })

  data_plane_ports = "${var.data_plane_ports.first}-${var.data_plane_ports.last}"
  http_ports       = "${var.data_plane_ports.first + 1000}-${var.data_plane_ports.last + 1000}"

  zone_names = {
    blob        = "privatelink.blob.core.windows.net"
    vault       = "privatelink.vaultcore.azure.net"
    postgres    = "${var.name}.private.postgres.database.azure.com"
    data_planes = coalesce(var.data_plane_domain, "${var.name}.kv.internal")
    # A private endpoint of Azure Monitor has names in all four, and in blob.
    monitor       = "privatelink.monitor.azure.com"
    monitor_oms   = "privatelink.oms.opinsights.azure.com"
    monitor_ods   = "privatelink.ods.opinsights.azure.com"
    monitor_agent = "privatelink.agentsvc.azure-automation.net"
  }
  made_zones = { for key, name in local.zone_names : key => name if !contains(keys(var.existing_private_dns_zone_ids), key) }

  zone_ids = merge({ for key, zone in azurerm_private_dns_zone.this : key => zone.id }, var.existing_private_dns_zone_ids)

  role_definition_prefix = "/providers/Microsoft.Authorization/roleDefinitions/"
}
