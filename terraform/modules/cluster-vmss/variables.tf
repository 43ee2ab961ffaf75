variable "name" {
  description = "Name of the cluster, as of `kvstore_cluster`; resources, machines and the cluster's DNS name begin with it."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,38}[a-z0-9]$", var.name))
    error_message = "name must be 3 to 40 of a-z, 0-9 and -, begin with a letter and not end with -: it becomes a DNS name and the beginning of machines' names."
  }
}

variable "location" {
  description = "Azure's name of the location, such as `germanywestcentral`: that of the network."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][a-z0-9]+$", var.location))
    error_message = "location must be written as Azure's API does, such as germanywestcentral, not \"Germany West Central\": azurerm rewrites the other form, and two ways to write one location plan changes of nothing."
  }
}

variable "resource_group_name" {
  description = "Name of the resource group, which exists: `resource_group_name` of the module `region`."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[A-Za-z0-9_().-]{0,89}[A-Za-z0-9_()-]$", var.resource_group_name))
    error_message = "resource_group_name must be the name of a resource group, not its id: 1 to 90 letters, digits, _, (, ), . and -."
  }
}

variable "subnet_id" {
  description = "Subnet of machines and load balancer: `subnet_ids[\"data\"]` of the module `region`."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("(?i)^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft.Network/virtualNetworks/[^/]+/subnets/[^/]+$", var.subnet_id))
    error_message = "subnet_id must be the id of a subnet, /subscriptions/.../virtualNetworks/VNET/subnets/NAME: azurerm takes any text, and Azure refuses it in the middle of an apply."
  }
}

variable "private_dns_zone_id" {
  description = "Private DNS zone in which machines register their names (auto-registration of the network's link) and the cluster gets its own: `private_dns_zone_ids[\"data_planes\"]` of the module `region`."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("(?i)^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft.Network/privateDnsZones/[^/]+$", var.private_dns_zone_id))
    error_message = "private_dns_zone_id must be the id of a private DNS zone, /subscriptions/.../privateDnsZones/NAME: the zone's name and group are read from it."
  }
}

variable "source_image_id" {
  description = "Image of the machines: a version of that of the module `machine-image`, `RESOURCE_ID/versions/1.4.0`, or another one that deploy/machine/image/install.sh made. Another one rolls through the machines."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("(?i)^/(subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft.Compute|communityGalleries|sharedGalleries)/", var.source_image_id))
    error_message = "source_image_id must be the id of an image or of a version in a gallery, /subscriptions/.../images/NAME/versions/1.2.3: public images have no KV Store in them."
  }

  validation {
    condition     = !endswith(lower(var.source_image_id), "/versions/latest")
    error_message = "source_image_id must name a version, not \"latest\": machines that are made later would be of another image than their neighbours, and no plan would show it."
  }
}

variable "admin_ssh_public_key" {
  description = "Public key of the administrator `azureuser`. Azure demands one; the network lets nobody use it unless `ssh_address_prefixes` of the region says so."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^(ssh-rsa|ssh-ed25519) [A-Za-z0-9+/=]+( .*)?$", var.admin_ssh_public_key))
    error_message = "admin_ssh_public_key must be one line that begins with ssh-rsa or ssh-ed25519: Azure takes no others."
  }
}

variable "control_plane_endpoint" {
  description = "Where data planes reach the control plane's gRPC, `HOST:PORT`: `grpc_endpoint` of the module `control-plane`."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[A-Za-z0-9.-]+:[1-9][0-9]{0,4}$", var.control_plane_endpoint))
    error_message = "control_plane_endpoint must be HOST:PORT, such as control.example.com:9090, without https://: it is gRPC, and not the REST address."
  }
}

variable "kvstore_region" {
  description = "Name of the region at the control plane."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$", var.kvstore_region))
    error_message = "kvstore_region must be the name of a kvstore_region, such as eu-1."
  }
}

variable "kvstore_cluster" {
  description = "Name of the cluster at the control plane. Default: `name`."
  type        = string
  default     = null

  validation {
    condition     = var.kvstore_cluster == null || can(regex("^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$", var.kvstore_cluster))
    error_message = "kvstore_cluster must be the name of a kvstore_cluster, such as eu-1-a."
  }
}

variable "key_vault_id" {
  description = "Key vault from which machines read join token and certificate: `key_vault_id` of the module `control-plane`."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("(?i)^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft.KeyVault/vaults/[^/]+$", var.key_vault_id))
    error_message = "key_vault_id must be the id of a key vault, /subscriptions/.../vaults/NAME, and not its URL: the right to read it is given there."
  }
}

variable "key_vault_dns_suffix" {
  description = "Domain of key vaults: another one in Azure's national clouds."
  type        = string
  default     = "vault.azure.net"
  nullable    = false

  validation {
    condition     = can(regex("^[a-z0-9.-]+$", var.key_vault_dns_suffix))
    error_message = "key_vault_dns_suffix must be a domain such as vault.azure.net."
  }
}

variable "key_vault_endpoint" {
  description = <<-EOT
    A private endpoint of the key vault in the machines' network: `subnet_id` is `subnet_ids["endpoints"]`, `private_dns_zone_id` is `private_dns_zone_ids["vault"]` of the module `region`.
    Needed in each region but the control plane's, whose module makes one. Default: none.
  EOT
  type = object({
    subnet_id           = string
    private_dns_zone_id = string
  })
  default = null

  validation {
    condition     = var.key_vault_endpoint == null || can(regex("(?i)^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft.Network/virtualNetworks/[^/]+/subnets/[^/]+$", var.key_vault_endpoint.subnet_id))
    error_message = "key_vault_endpoint.subnet_id must be the id of a subnet, /subscriptions/.../virtualNetworks/VNET/subnets/NAME."
  }

  validation {
    condition     = var.key_vault_endpoint == null || can(regex("(?i)/privateDnsZones/privatelink\\.vaultcore\\.[a-z.]+$", var.key_vault_endpoint.private_dns_zone_id))
    error_message = "key_vault_endpoint.private_dns_zone_id must be of the zone privatelink.vaultcore.azure.net, or that of a national cloud: names of key vaults are looked up in no other."
  }
}

variable "assign_key_vault_role" {
  description = "Whether the machines' identity gets the role *Key Vault Secrets User* at the vault. With `false` somebody else gives it."
  type        = bool
  default     = true
  nullable    = false
}

variable "secret_names" {
  description = "Names in the key vault: of the join token, a secret, and of the certificate with its key, which is good for `*.ZONE`."
  type = object({
    join_token  = optional(string, "join-token")
    certificate = optional(string, "kv-tls")
  })
  default  = {}
  nullable = false

  validation {
    condition     = alltrue([for name in values(var.secret_names) : can(regex("^[A-Za-z0-9-]{1,127}$", name))])
    error_message = "secret_names must be 1 to 127 letters, digits and -: a key vault takes no others."
  }
}

variable "certificate_authorities" {
  description = "Authorities (PEM) of the certificates of control plane and data planes, as `file(\"ca.pem\")`: needed for names that no public authority certifies, such as those of a private zone. Default: those of the image's JDK."
  type        = string
  default     = null

  validation {
    condition     = var.certificate_authorities == null || (strcontains(coalesce(var.certificate_authorities, "-"), "-----BEGIN CERTIFICATE-----") && !strcontains(coalesce(var.certificate_authorities, "-"), "PRIVATE KEY"))
    error_message = "certificate_authorities must be certificates in PEM, -----BEGIN CERTIFICATE----- and on, without private keys: it lies in the machines' custom data, which is readable."
  }
}

variable "plaintext" {
  description = "Whether data planes speak without TLS: for trials in a network of their own. Keys of tenants then cross it readable."
  type        = bool
  default     = false
  nullable    = false
}

variable "instances" {
  description = "Number of machines."
  type        = number
  default     = 3
  nullable    = false

  validation {
    condition     = var.instances >= 1 && var.instances <= 1000 && floor(var.instances) == var.instances
    error_message = "instances must be a whole number from 1 to 1000, the most that a flexible scale set has."
  }
}

variable "sku_name" {
  description = "Size of the machines. The default has 96 vCPUs on two NUMA nodes, and up to 8 network cards (docs/operations/azure-costs.md has the reasons)."
  type        = string
  default     = "Standard_FX96mds_v2"
  nullable    = false

  validation {
    condition     = can(regex("^Standard_[A-Za-z0-9_-]+$", var.sku_name))
    error_message = "sku_name must be a size as Azure writes it, such as Standard_FX96mds_v2."
  }
}

variable "zones" {
  description = "Availability zones over which machines are spread evenly. Adding one changes nothing else; taking one away replaces the scale set."
  type        = set(string)
  default     = ["1", "2", "3"]
  nullable    = false

  validation {
    condition     = alltrue([for zone in var.zones : contains(["1", "2", "3"], zone)])
    error_message = "zones must be of 1, 2 and 3, or empty in a location without zones."
  }
}

variable "frontend_zones" {
  description = "Availability zones in which the load balancer's address is: all that the location has, whatever `zones` are. Choose before the first apply: azurerm replaces a balancer whose zones change, with its rules and its Private Link service."
  type        = set(string)
  default     = ["1", "2", "3"]
  nullable    = false

  validation {
    condition     = alltrue([for zone in var.frontend_zones : contains(["1", "2", "3"], zone)])
    error_message = "frontend_zones must be of 1, 2 and 3, or empty in a location without zones."
  }

  validation {
    condition     = length(var.zones) == 0 || length(setsubtract(var.zones, var.frontend_zones)) == 0
    error_message = "frontend_zones must have all of zones: machines of a zone that is up would be behind an address that is not."
  }
}

variable "numa_node_count" {
  description = "NUMA nodes of the size: a data plane runs on each, at a port of its own from `first_port` on."
  type        = number
  default     = 2
  nullable    = false

  validation {
    condition     = var.numa_node_count >= 1 && var.numa_node_count <= 8 && floor(var.numa_node_count) == var.numa_node_count
    error_message = "numa_node_count must be a whole number from 1 to 8: each is a port with a rule and a probe at the load balancer."
  }
}

variable "first_port" {
  description = "gRPC port of the first data plane of a machine; the others follow. Health and metrics are 1,000 above."
  type        = number
  default     = 8085
  nullable    = false

  validation {
    condition     = var.first_port >= 1024 && var.first_port <= 64000
    error_message = "first_port must be 1024 to 64000: programs that are not root cannot have lower ones, and HTTP is 1,000 above."
  }
}

variable "network_interface_count" {
  description = "Network cards of a machine, all with accelerated networking. The first takes connections; calls to storage leave by all in turn. Azure's bandwidth is that of the machine, not of a card: more cards are for sizes whose cards are limited each."
  type        = number
  default     = 1
  nullable    = false

  validation {
    condition     = var.network_interface_count >= 1 && var.network_interface_count <= 8 && floor(var.network_interface_count) == var.network_interface_count
    error_message = "network_interface_count must be a whole number from 1 to 8: no size has more, and many have fewer."
  }
}

variable "frontend_private_ip_address" {
  description = "Address of the load balancer within the subnet. Default: Azure chooses one."
  type        = string
  default     = null

  validation {
    condition     = var.frontend_private_ip_address == null || can(cidrnetmask("${var.frontend_private_ip_address}/32"))
    error_message = "frontend_private_ip_address must be an IPv4 address such as 10.64.0.10."
  }
}

variable "private_link" {
  description = <<-EOT
    A Private Link service on the load balancer, for customers in networks that are not peered. `subnet_id` and `subnet_address_prefix` are of a subnet with
    nothing else in it: `subnet_ids["link"]` and `subnet_address_prefixes["link"]` of the module `region`. Connections from there must begin with a header of the PROXY protocol, which
    the service sends. `auto_approval_subscription_ids` need no approval; `visibility_subscription_ids` see it (`*` for all). Default: none.
  EOT
  type = object({
    subnet_id                      = string
    subnet_address_prefix          = string
    auto_approval_subscription_ids = optional(set(string), [])
    visibility_subscription_ids    = optional(set(string), [])
    nat_address_count              = optional(number, 8)
  })
  default = null

  validation {
    condition     = var.private_link == null || can(regex("(?i)^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft.Network/virtualNetworks/[^/]+/subnets/[^/]+$", var.private_link.subnet_id))
    error_message = "private_link.subnet_id must be the id of a subnet, /subscriptions/.../virtualNetworks/VNET/subnets/NAME."
  }

  validation {
    condition     = var.private_link == null || try(lower(var.private_link.subnet_id) != lower(var.subnet_id), true)
    error_message = "private_link.subnet_id must not be subnet_id: data planes demand a header of the PROXY protocol from the whole subnet, and would refuse each other and all who come without."
  }

  validation {
    condition     = var.private_link == null || can(cidrnetmask(var.private_link.subnet_address_prefix))
    error_message = "private_link.subnet_address_prefix must be the range of that subnet, such as 10.64.17.0/24: data planes take the PROXY protocol from there alone."
  }

  validation {
    condition     = var.private_link == null || try(var.private_link.nat_address_count >= 1 && var.private_link.nat_address_count <= 8, false)
    error_message = "private_link.nat_address_count must be 1 to 8: Azure takes no more, and each carries 64,000 connections to a machine's port."
  }

  validation {
    condition = var.private_link == null || try(length(var.private_link.visibility_subscription_ids) == 0 || contains(var.private_link.visibility_subscription_ids, "*") ||
    length(setsubtract(var.private_link.auto_approval_subscription_ids, var.private_link.visibility_subscription_ids)) == 0, false)
    error_message = "private_link: a subscription of auto_approval_subscription_ids must be among visibility_subscription_ids, as Azure demands."
  }
}

variable "disk_tier" {
  description = "Local disks that are formatted and mounted as the disk tier, and how much of them each data plane uses. `devices`: one for all data planes, or as many for each as for the others, given to these in turns; default: `local/1`, `local/2`, ..., the local NVMe disks whatever their files are called: the six of the default size, or one for each data plane of another size. `size`: for each data plane; default: 800G for each of its disks, which have 880 GiB in the default size. `null`: blocks lie in memory and storage alone."
  type = object({
    devices = optional(list(string))
    size    = optional(string)
  })
  default = {}

  validation {
    condition     = alltrue([for device in try(coalesce(var.disk_tier.devices, []), []) : can(regex("^(/dev/[A-Za-z0-9/_.-]+|local/[1-9][0-9]?)$", device))])
    error_message = "disk_tier.devices must be local/1 and so on, or devices such as /dev/nvme1n1: a disk without a file system is formatted as a whole."
  }

  validation {
    condition     = try(var.disk_tier.devices, null) == null || try(length(var.disk_tier.devices) == 1 || (length(var.disk_tier.devices) > 0 && length(var.disk_tier.devices) % var.numa_node_count == 0), false)
    error_message = "disk_tier.devices must be one device for all data planes, or equally many for each of numa_node_count."
  }

  validation {
    condition     = try(var.disk_tier.size, null) == null || can(regex("^[1-9][0-9]*[MGT]$", var.disk_tier.size))
    error_message = "disk_tier.size must be a number with M, G or T, such as 800G: for each of the machine's data planes."
  }
}

variable "settings" {
  description = "Settings of data planes, as environment variables (docs/operations/all-settings.md). They go before those that this module makes."
  type        = map(string)
  default     = {}
  nullable    = false

  validation {
    condition     = alltrue([for value in values(var.settings) : can(regex("^[^\\s\"'$\\\\]*$", value))])
    error_message = "settings must be values without blanks, quotes, $ and \\: they are lines of a file of systemd. Secrets do not belong there: machines' custom data is readable."
  }

  validation {
    condition     = length(setsubtract(keys(var.settings), keys(local.known_settings["data-plane"]))) == 0
    error_message = "settings: no data plane has ${join(", ", setsubtract(keys(var.settings), keys(local.known_settings["data-plane"])))}; docs/operations/all-settings.md lists all. Join token and certificate come from the key vault."
  }

  validation {
    condition     = alltrue([for name, value in var.settings : can(regex(local.known_settings.forms[try(local.known_settings["data-plane"][name].type, "text")], value))])
    error_message = "settings of another type: ${join(", ", [for name, value in var.settings : "${name} must be a ${try(local.known_settings["data-plane"][name].type, "text")}${try(", ${local.known_settings["data-plane"][name].range}", "")}" if !can(regex(local.known_settings.forms[try(local.known_settings["data-plane"][name].type, "text")], value))])}. Sizes take K, M, G, T, times ms, s, m, h, d."
  }

  validation {
    condition = alltrue([for name, value in var.settings : try(
      tonumber(regex("^[0-9]+", value)) * local.known_settings.units[regex("[A-Za-z]*$", value)] >= tonumber(local.known_settings["data-plane"][name].least) &&
      tonumber(regex("^[0-9]+", value)) * local.known_settings.units[regex("[A-Za-z]*$", value)] <= tonumber(try(local.known_settings["data-plane"][name].most, "1e30")),
      true
    )])
    error_message = "settings out of range: ${join(", ", [for name in keys(var.settings) : "${name} takes ${local.known_settings["data-plane"][name].range}" if can(local.known_settings["data-plane"][name].range)])}."
  }
}

variable "node_flags" {
  description = "Further flags of `kv node up`. The last of two flags of a name counts."
  type        = list(string)
  default     = []
  nullable    = false

  validation {
    condition     = alltrue([for flag in var.node_flags : can(regex("^[^\\s\"'$\\\\]+$", flag))])
    error_message = "node_flags must be words without blanks, quotes, $ and \\, such as [\"--log-level\", \"info\"]."
  }
}

variable "upgrade" {
  description = <<-EOT
    How a new image rolls through the machines: in batches, each of which must be healthy before the next. Default: a fifth at a time, one machine at least, as long as
    no more than half are ill. With `surge`, new machines are made before old ones go, for which there must be quota. Any change here replaces the scale set, with all
    machines at once: choose before the first apply.
  EOT
  type = object({
    max_batch_percent     = optional(number)
    max_unhealthy_percent = optional(number)
    pause                 = optional(string, "PT5M")
    surge                 = optional(bool, false)
  })
  default  = {}
  nullable = false

  validation {
    condition     = alltrue([for percent in [var.upgrade.max_batch_percent, var.upgrade.max_unhealthy_percent] : percent == null || try(percent >= 5 && percent <= 100, false)])
    error_message = "upgrade: percentages must be 5 to 100."
  }

  validation {
    condition     = can(regex("^PT([0-9]+H)?([0-9]+M)?([0-9]+S)?$", var.upgrade.pause)) && var.upgrade.pause != "PT"
    error_message = "upgrade.pause must be a time as ISO 8601 writes it, such as PT5M: new machines load what they need before the next batch goes."
  }
}

variable "termination_notice_minutes" {
  description = "How long before a machine goes it is told, so that it drains. It goes as soon as it has no calls left."
  type        = number
  default     = 5
  nullable    = false

  validation {
    condition     = var.termination_notice_minutes >= 5 && var.termination_notice_minutes <= 15
    error_message = "termination_notice_minutes must be 5 to 15: Azure knows no others."
  }
}

variable "instance_repair_grace_minutes" {
  description = "How long a machine may be unhealthy before Azure replaces it. `null`: it is never replaced."
  type        = number
  default     = 30

  validation {
    condition     = var.instance_repair_grace_minutes == null || try(var.instance_repair_grace_minutes >= 10 && var.instance_repair_grace_minutes <= 90, false)
    error_message = "instance_repair_grace_minutes must be 10 to 90: Azure knows no others."
  }
}

variable "os_disk" {
  description = "Disk of the operating system."
  type = object({
    storage_account_type = optional(string, "Premium_LRS")
    size_gb              = optional(number, 64)
  })
  default  = {}
  nullable = false

  validation {
    condition     = contains(["Premium_LRS", "Premium_ZRS", "StandardSSD_LRS", "StandardSSD_ZRS"], var.os_disk.storage_account_type) && var.os_disk.size_gb >= 30 && var.os_disk.size_gb <= 4095
    error_message = "os_disk must be a Premium or StandardSSD disk of 30 to 4095 GB: images begin at 30, and spinning disks make machines start late."
  }
}

variable "encryption_at_host_enabled" {
  description = "Whether the host encrypts disks and caches, the local disk of the disk tier among them. The subscription must have the feature registered (`Microsoft.Compute/EncryptionAtHost`)."
  type        = bool
  default     = true
  nullable    = false
}

variable "capacity_reservation_group_id" {
  description = "Capacity reservation group from which machines are taken. Default: none."
  type        = string
  default     = null

  validation {
    condition     = var.capacity_reservation_group_id == null || can(regex("(?i)^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft.Compute/capacityReservationGroups/[^/]+$", var.capacity_reservation_group_id))
    error_message = "capacity_reservation_group_id must be the id of a capacity reservation group, /subscriptions/.../capacityReservationGroups/NAME."
  }
}

variable "managed_identities" {
  description = "Further identities of the machines, in the form of Azure Verified Modules. One is made here in any case."
  type = object({
    system_assigned            = optional(bool, false)
    user_assigned_resource_ids = optional(set(string), [])
  })
  default  = {}
  nullable = false

  validation {
    condition     = !var.managed_identities.system_assigned
    error_message = "managed_identities.system_assigned must be false: a flexible scale set has no identity of its own, and one for each machine could be given no rights before it is there."
  }
}

variable "role_assignments" {
  description = "Role assignments on the scale set, in the form of Azure Verified Modules. The keys are yours and stay."
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

variable "metrics" {
  description = <<-EOT
    Where machines send their metrics; null for nowhere. Prometheus in agent mode, of the image, scrapes a machine's data planes every 30 s. A change reaches machines that run, and restarts nothing else.
    - `remote_write_url`: output of that name of `monitoring`, whose `publisher_principal_ids` has `identity_principal_id`.
  EOT
  type        = object({ remote_write_url = string })
  default     = null

  validation {
    condition     = var.metrics == null || can(regex("^https://[A-Za-z0-9.-]+/[^\\s\"'\\\\]+/api/v1/write(\\?[^\\s\"'\\\\]*)?$", var.metrics.remote_write_url))
    error_message = "metrics.remote_write_url must be a URL as monitoring's output of that name, https://.../api/v1/write?api-version=...: Azure Monitor answers 404 at any other."
  }
}

variable "logs" {
  description = <<-EOT
    Where the machines' journal goes; null for nowhere. An entry of the output `logs` of `monitoring`: `logs["REGION"]`, or `public` with a way out. Azure's agent is an extension then, and reads what rsyslog, of the image, gets from the journal.
    - `data_collection_rule_id`: what is collected.
    - `data_collection_endpoint`: `{ id = ... }`, where the agent asks for it; null for the public one.
  EOT
  type = object({
    data_collection_rule_id  = string
    data_collection_endpoint = optional(object({ id = string }))
  })
  default = null

  validation {
    condition     = var.logs == null || can(regex("(?i)^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft.Insights/dataCollectionRules/[^/]+$", var.logs.data_collection_rule_id))
    error_message = "logs.data_collection_rule_id must be the id of a data collection rule, /subscriptions/.../dataCollectionRules/NAME."
  }
  validation {
    condition     = try(var.logs.data_collection_endpoint, null) == null || can(regex("(?i)^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft.Insights/dataCollectionEndpoints/[^/]+$", var.logs.data_collection_endpoint.id))
    error_message = "logs.data_collection_endpoint must have the id of a data collection endpoint, /subscriptions/.../dataCollectionEndpoints/NAME."
  }
}

variable "diagnostic_settings" {
  description = "Diagnostic settings of the load balancer, in the form of Azure Verified Modules. The keys are yours and stay."
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
}

variable "lock" {
  description = "A lock on the scale set, in the form of Azure Verified Modules. Default: none."
  type = object({
    kind = string
    name = optional(string)
  })
  default = null

  validation {
    condition     = var.lock == null || contains(["CanNotDelete", "ReadOnly"], try(var.lock.kind, ""))
    error_message = "lock.kind must be CanNotDelete or ReadOnly."
  }
}

variable "tags" {
  description = "Tags of all resources, at most 15."
  type        = map(string)
  default     = {}
  nullable    = false

  validation {
    condition     = length(var.tags) <= 15
    error_message = "tags must be at most 15: DNS zones and their records take no more, and Azure refuses them in the middle of an apply."
  }
}
