variable "name" {
  description = "Name of the region, as of `kvstore_region`; resources begin with it."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,30}[a-z0-9]$", var.name))
    error_message = "name must be 3 to 32 of a-z, 0-9 and -, begin with a letter and not end with -: it becomes part of DNS names and of names of Azure resources, of which some are limited so."
  }
}

variable "location" {
  description = "Azure's name of the location, such as `germanywestcentral`."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][a-z0-9]+$", var.location))
    error_message = "location must be written as Azure's API does, such as germanywestcentral, not \"Germany West Central\": azurerm rewrites the other form, and two ways to write one location plan changes of nothing."
  }
}

variable "address_space" {
  description = "Address range of the virtual network, such as `10.64.0.0/16`: another one for each region and each network that is ever peered with it."
  type        = string
  nullable    = false

  validation {
    condition     = can(cidrnetmask(var.address_space)) && try(tonumber(split("/", var.address_space)[1]) >= 8 && tonumber(split("/", var.address_space)[1]) <= 18, false)
    error_message = "address_space must be an IPv4 range of /8 to /18, such as 10.64.0.0/16: a sixteenth of it is the subnet of the data planes, and with less than 1,000 addresses some 100 machines of 8 network cards do not fit."
  }

  validation {
    condition     = try(cidrsubnet(var.address_space, 0, 0) == var.address_space, true)
    error_message = "address_space must begin at its first address: ${try(cidrsubnet(var.address_space, 0, 0), "")}."
  }
}

variable "create_resource_group" {
  description = "Whether a resource group `rg-NAME` is made. With `false`, `resource_group_name` is one that exists."
  type        = bool
  default     = true
  nullable    = false
}

variable "resource_group_name" {
  description = "Name of the resource group. Default: `rg-NAME`."
  type        = string
  default     = null

  validation {
    condition     = var.resource_group_name != null || var.create_resource_group
    error_message = "resource_group_name must be set where create_resource_group is false: it names the group that exists."
  }

  validation {
    condition     = var.resource_group_name == null || can(regex("^[A-Za-z0-9_().-]{0,89}[A-Za-z0-9_()-]$", var.resource_group_name))
    error_message = "resource_group_name must be 1 to 90 letters, digits, _, (, ), . and -, and not end with a point: Azure refuses others."
  }
}

variable "subnet_address_prefixes" {
  description = <<-EOT
    Ranges of subnets that are not to be the usual parts of `address_space`: a sixteenth of it for `data` (network cards of data planes: machines
    times cards, and 5 that Azure keeps), and a 256th each for `endpoints` (private endpoints), `link` (addresses of Private Link services, nothing else),
    `postgres` (delegated to PostgreSQL Flexible Server) and, with a `bastion`, for `bastion` (/26 or larger, which Azure demands).
  EOT
  type = object({
    data      = optional(string)
    endpoints = optional(string)
    link      = optional(string)
    postgres  = optional(string)
    bastion   = optional(string)
  })
  default  = {}
  nullable = false

  validation {
    condition     = try(tonumber(split("/", var.subnet_address_prefixes.bastion)[1]) <= 26, true)
    error_message = "subnet_address_prefixes.bastion must be a /26 or larger: Azure makes no bastion in a smaller one."
  }

  validation {
    condition     = alltrue([for prefix in values(var.subnet_address_prefixes) : prefix == null || can(cidrnetmask(prefix))])
    error_message = "subnet_address_prefixes must be IPv4 ranges such as 10.64.0.0/20."
  }

  validation {
    condition = alltrue([for prefix in values(var.subnet_address_prefixes) : prefix == null || try(
      tonumber(split("/", prefix)[1]) >= tonumber(split("/", var.address_space)[1]) &&
      cidrsubnet("${split("/", prefix)[0]}/${split("/", var.address_space)[1]}", 0, 0) == var.address_space,
      true
    )])
    error_message = "subnet_address_prefixes must lie within address_space, which Azure demands of subnets."
  }
}

variable "peerings" {
  description = <<-EOT
    Virtual networks of others that this one is peered with, from this side; the other side is theirs (`modules/customer-access`). Regions among each other: `modules/peering`. The keys are
    yours and stay. `address_spaces` are the other's ranges: they must not overlap with this one's. `resolve_data_planes` links the zone of data planes'
    names to the other network, so that its clients find them.
  EOT
  type = map(object({
    virtual_network_id      = string
    address_spaces          = list(string)
    resolve_data_planes     = optional(bool, true)
    allow_forwarded_traffic = optional(bool, false)
    use_remote_gateways     = optional(bool, false)
  }))
  default  = {}
  nullable = false

  validation {
    condition     = alltrue([for peering in var.peerings : can(regex("(?i)^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft.Network/virtualNetworks/[^/]+$", peering.virtual_network_id))])
    error_message = "peerings: virtual_network_id must be the id of a virtual network, /subscriptions/.../virtualNetworks/NAME: azurerm takes any text, and Azure refuses it in the middle of an apply."
  }

  validation {
    condition     = alltrue(flatten([for peering in var.peerings : [for space in peering.address_spaces : can(cidrnetmask(space))]])) && alltrue([for peering in var.peerings : length(peering.address_spaces) > 0])
    error_message = "peerings: address_spaces must be the IPv4 ranges of the other network, such as [\"10.65.0.0/16\"]: overlaps are found by them."
  }

  # Two ranges overlap if they are the same at the length of the shorter prefix.
  validation {
    condition = alltrue(flatten([for peering in var.peerings : [for space in peering.address_spaces : try(
      cidrsubnet("${split("/", space)[0]}/${min(split("/", space)[1], split("/", var.address_space)[1])}", 0, 0) !=
      cidrsubnet("${split("/", var.address_space)[0]}/${min(split("/", space)[1], split("/", var.address_space)[1])}", 0, 0),
      true
    )]]))
    error_message = "peerings: a peered network overlaps with address_space (${var.address_space}): Azure does not peer networks that overlap, and the range of one cannot be changed without replacing its subnets."
  }
}

variable "data_plane_ports" {
  description = "First and last port of the data planes: one for each NUMA node. Health and metrics are 1,000 above."
  type = object({
    first = optional(number, 8085)
    last  = optional(number, 8086)
  })
  default  = {}
  nullable = false

  validation {
    condition     = var.data_plane_ports.first >= 1024 && var.data_plane_ports.last <= 64535 && var.data_plane_ports.first <= var.data_plane_ports.last && var.data_plane_ports.last - var.data_plane_ports.first < 64
    error_message = "data_plane_ports must be 1 to 64 ports from 1024 to 64535: programs that are not root cannot have lower ones, and those of health and metrics are 1,000 above."
  }
}

variable "monitoring_address_prefixes" {
  description = "Ranges from which metrics and health (1,000 above the ports of data planes) are read, such as those of a Prometheus. Default: none but the machines themselves and Azure's load balancer."
  type        = set(string)
  default     = []
  nullable    = false

  validation {
    condition     = alltrue([for prefix in var.monitoring_address_prefixes : can(cidrnetmask(prefix))])
    error_message = "monitoring_address_prefixes must be IPv4 ranges such as 10.80.1.0/24; a tag such as VirtualNetwork would open the metrics of all tenants to every client."
  }
}

variable "ssh_address_prefixes" {
  description = "Ranges from which machines may be reached at port 22, such as that of a bastion in another network; `bastion` needs no line here. Default: none."
  type        = set(string)
  default     = []
  nullable    = false

  validation {
    condition     = alltrue([for prefix in var.ssh_address_prefixes : can(cidrnetmask(prefix)) && !endswith(prefix, "/0")])
    error_message = "ssh_address_prefixes must be IPv4 ranges such as 10.80.2.0/24, and not all addresses there are."
  }
}

variable "bastion" {
  description = <<-EOT
    Azure Bastion, by which admins reach machines without an address on the internet: `az network bastion tunnel` and `ssh`. Default: none.
    - `sku`: Standard or Premium.
    - `scale_units`: 2 to 50; each carries some 40 SSH sessions.
    - `client_address_prefixes`: public ranges from which it is reached. Default: all; who comes in is for Entra ID, and needs the role *Reader* on bastion and machine.
  EOT
  type = object({
    sku                     = optional(string, "Standard")
    scale_units             = optional(number, 2)
    client_address_prefixes = optional(set(string), [])
  })
  default = null

  validation {
    condition     = var.bastion == null || contains(["Standard", "Premium"], try(var.bastion.sku, "-"))
    error_message = "bastion.sku must be Standard or Premium: the others have no tunnels."
  }

  validation {
    condition     = var.bastion == null || try(var.bastion.scale_units >= 2 && var.bastion.scale_units <= 50 && floor(var.bastion.scale_units) == var.bastion.scale_units, false)
    error_message = "bastion.scale_units must be 2 to 50: Azure has no others."
  }

  validation {
    condition     = alltrue([for prefix in try(var.bastion.client_address_prefixes, []) : can(cidrnetmask(prefix)) && !endswith(prefix, "/0")])
    error_message = "bastion.client_address_prefixes must be IPv4 ranges such as 203.0.113.0/24; leave it out for all addresses there are."
  }
}

variable "admin_address_prefixes" {
  description = "Ranges outside of this network from which the control plane's REST API (8080) is reached: those of admins' networks, and of the machine that applies this. Default: none but `address_space`."
  type        = set(string)
  default     = []
  nullable    = false

  validation {
    condition     = alltrue([for prefix in var.admin_address_prefixes : can(cidrnetmask(prefix)) && !endswith(prefix, "/0")])
    error_message = "admin_address_prefixes must be IPv4 ranges such as 10.80.3.0/24, and not all addresses there are."
  }
}

variable "endpoint_address_prefixes" {
  description = "Ranges outside of this network from which private endpoints are reached: the key vault's, and those of all customers' storage. Default: none but `address_space`."
  type        = set(string)
  default     = []
  nullable    = false

  validation {
    condition     = alltrue([for prefix in var.endpoint_address_prefixes : can(cidrnetmask(prefix)) && !endswith(prefix, "/0")])
    error_message = "endpoint_address_prefixes must be IPv4 ranges such as 10.80.3.0/24, and not all addresses there are."
  }
}

variable "database_address_prefixes" {
  description = "Ranges besides the subnet `data` from which the database is reached: those of control planes' pods, or of a database in another region that copies this one. Default: none."
  type        = set(string)
  default     = []
  nullable    = false

  validation {
    condition     = alltrue([for prefix in var.database_address_prefixes : can(cidrnetmask(prefix)) && !endswith(prefix, "/0")])
    error_message = "database_address_prefixes must be IPv4 ranges such as 10.64.32.0/20, and not all addresses there are."
  }
}

variable "data_plane_domain" {
  description = "Private DNS zone of the data planes' names. Machines register themselves in it. Default: `NAME.kv.internal`."
  type        = string
  default     = null

  validation {
    condition     = var.data_plane_domain == null || can(regex("^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,63}$", var.data_plane_domain))
    error_message = "data_plane_domain must be a domain in small letters, such as eu-1.kv.example.com, without a point at its end: Azure refuses others."
  }
}

variable "existing_private_dns_zone_ids" {
  description = "Zones that exist, as those of a hub, by `blob` (`privatelink.blob.core.windows.net`), `vault` (`privatelink.vaultcore.azure.net`), `monitor` (`privatelink.monitor.azure.com`), `monitor_oms` (`privatelink.oms.opinsights.azure.com`), `monitor_ods` (`privatelink.ods.opinsights.azure.com`), `monitor_agent` (`privatelink.agentsvc.azure-automation.net`), `postgres` and `data_planes`: they are not made here, and their links to this network are their owner's. Default: all are made."
  type        = map(string)
  default     = {}
  nullable    = false

  validation {
    condition     = alltrue([for key in keys(var.existing_private_dns_zone_ids) : contains(keys(local.zone_names), key)])
    error_message = "existing_private_dns_zone_ids takes the keys blob, vault, monitor, monitor_oms, monitor_ods, monitor_agent, postgres and data_planes."
  }

  validation {
    condition     = alltrue([for id in values(var.existing_private_dns_zone_ids) : can(regex("(?i)^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft.Network/privateDnsZones/[^/]+$", id))])
    error_message = "existing_private_dns_zone_ids must be ids of private DNS zones, /subscriptions/.../privateDnsZones/NAME: the zone's name and group are read from the id."
  }
}

variable "nat_gateway" {
  description = "A NAT gateway for the data planes' subnet, in one zone. Default: none: images bring all that machines need, storage is reached by private endpoints, and nothing else goes to the internet."
  type = object({
    zone                    = optional(string)
    idle_timeout_in_minutes = optional(number, 4)
  })
  default = null

  validation {
    condition     = var.nat_gateway == null || try(var.nat_gateway.zone == null || contains(["1", "2", "3"], var.nat_gateway.zone), false)
    error_message = "nat_gateway.zone must be 1, 2 or 3, or unset: a NAT gateway lives in one zone, or in none in particular."
  }
}

variable "create_log_analytics_workspace" {
  description = "Whether a Log Analytics workspace is made. With `false`, `log_analytics_workspace_id` is one that exists."
  type        = bool
  default     = true
  nullable    = false
}

variable "log_analytics_workspace_id" {
  description = "Log Analytics workspace that exists. Default: one is made."
  type        = string
  default     = null

  validation {
    condition     = (var.log_analytics_workspace_id != null) != var.create_log_analytics_workspace
    error_message = "log_analytics_workspace_id must be set exactly where create_log_analytics_workspace is false."
  }

  validation {
    condition     = var.log_analytics_workspace_id == null || can(regex("(?i)^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft.OperationalInsights/workspaces/[^/]+$", var.log_analytics_workspace_id))
    error_message = "log_analytics_workspace_id must be the id of a workspace, /subscriptions/.../workspaces/NAME, and not its customer id."
  }
}

variable "log_retention_in_days" {
  description = "For how long the workspace keeps logs."
  type        = number
  default     = 30
  nullable    = false

  validation {
    condition     = var.log_retention_in_days >= 30 && var.log_retention_in_days <= 730
    error_message = "log_retention_in_days must be 30 to 730: Azure keeps no shorter and no longer in a workspace."
  }
}

variable "role_assignments" {
  description = "Role assignments on the resource group, in the form of Azure Verified Modules. The keys are yours and stay."
  type = map(object({
    role_definition_id_or_name             = string
    principal_id                           = string
    description                            = optional(string)
    skip_service_principal_aad_check       = optional(bool, false)
    condition                              = optional(string)
    condition_version                      = optional(string)
    delegated_managed_identity_resource_id = optional(string)
    principal_type                         = optional(string)
  }))
  default  = {}
  nullable = false

  validation {
    condition     = alltrue([for assignment in var.role_assignments : assignment.condition == null || assignment.condition_version == "2.0"])
    error_message = "role_assignments: a condition needs condition_version = \"2.0\", the only version that Azure takes."
  }
}

variable "diagnostic_settings" {
  description = "Diagnostic settings of the virtual network, in the form of Azure Verified Modules. The keys are yours and stay."
  type = map(object({
    name                                     = optional(string)
    log_categories                           = optional(set(string), [])
    log_groups                               = optional(set(string), ["allLogs"])
    metric_categories                        = optional(set(string), ["AllMetrics"])
    log_analytics_destination_type           = optional(string, "Dedicated")
    workspace_resource_id                    = optional(string)
    storage_account_resource_id              = optional(string)
    event_hub_authorization_rule_resource_id = optional(string)
    event_hub_name                           = optional(string)
    marketplace_partner_resource_id          = optional(string)
  }))
  default  = {}
  nullable = false

  validation {
    condition     = alltrue([for setting in var.diagnostic_settings : setting.workspace_resource_id != null || setting.storage_account_resource_id != null || setting.event_hub_authorization_rule_resource_id != null || setting.marketplace_partner_resource_id != null])
    error_message = "diagnostic_settings: each needs a place to send to: a workspace, a storage account, an event hub or a partner."
  }

  validation {
    condition     = alltrue([for setting in var.diagnostic_settings : contains(["Dedicated", "AzureDiagnostics"], setting.log_analytics_destination_type)])
    error_message = "diagnostic_settings: log_analytics_destination_type must be Dedicated or AzureDiagnostics."
  }
}

variable "lock" {
  description = "A lock on the virtual network, in the form of Azure Verified Modules. It is made last and taken away first. It is not on the resource group: there it would keep machines from being taken away, repaired and replaced. Default: none."
  type = object({
    kind = string
    name = optional(string)
  })
  default = null

  validation {
    condition     = var.lock == null || try(var.lock.kind, "") == "CanNotDelete"
    error_message = "lock.kind must be CanNotDelete: with ReadOnly no machine could join the network."
  }
}

variable "tags" {
  description = "Tags of all resources, at most 15."
  type        = map(string)
  default     = {}
  nullable    = false

  validation {
    condition     = length(var.tags) <= 15
    error_message = "tags must be at most 15: DNS zones take no more, and Azure refuses them in the middle of an apply."
  }
}
