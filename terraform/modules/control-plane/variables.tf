variable "name" {
  description = "Name of the control plane, and prefix of what belongs to it. Key vault and database have names that nobody else in Azure may have."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][a-z0-9]*(-[a-z0-9]+)*$", var.name)) && length(var.name) <= 20
    error_message = "name must be 1 to 20 of a-z, 0-9 and single '-', and begin with a letter: the key vault's name is it and \"-kv\", and has 24 characters at most."
  }
}

variable "location" {
  description = "Azure region, such as `germanywestcentral`."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][a-z0-9]+$", var.location))
    error_message = "location must be written as Azure's API does, such as germanywestcentral, not \"Germany West Central\": azurerm rewrites the other form, and two ways to write one location plan changes of nothing."
  }
}

variable "resource_group_name" {
  description = "Name of the resource group, such as `region`'s output of that name."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[A-Za-z0-9_().-]{0,89}[A-Za-z0-9_()-]$", var.resource_group_name))
    error_message = "resource_group_name must be the name of a resource group, not its id: 1 to 90 letters, digits, _, (, ), . and -."
  }
}

variable "entra_tenant_id" {
  description = "Id of the Entra tenant of the key vault: `tenant_id` of `data \"azurerm_client_config\"`."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$", var.entra_tenant_id))
    error_message = "entra_tenant_id must be a GUID in lower case."
  }
}

variable "host" {
  description = "Name at which data planes, clients and admins find the control plane, such as `control.kv.example.com`. Its certificate is for this name."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?){1,}$", var.host))
    error_message = "host must be a full name in lower case without a port, such as control.kv.example.com."
  }
}

variable "subnet_ids" {
  description = <<-EOT
    Subnets, as `region` makes them.
    - `postgres`: delegated to Microsoft.DBforPostgreSQL/flexibleServers.
    - `endpoints`: of private endpoints.
    - `data`: of the machines and their balancer. Needed with `machines`.
    - `link`: of a Private Link Service, for other networks. Needed with `private_link` and `front_door`.
  EOT
  type = object({
    postgres  = string
    endpoints = string
    data      = optional(string)
    link      = optional(string)
  })
  nullable = false

  validation {
    condition     = alltrue([for id in values(var.subnet_ids) : id == null || can(regex("(?i)^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft\\.Network/virtualNetworks/[^/]+/subnets/[^/]+$", coalesce(id, "-")))])
    error_message = "subnet_ids must be ids of subnets: /subscriptions/.../virtualNetworks/VNET/subnets/NAME."
  }
  validation {
    condition     = var.machines == null || var.subnet_ids.data != null
    error_message = "machines need subnet_ids.data: where they are."
  }
  validation {
    condition     = (var.front_door == null && var.private_link == null) || (var.machines != null && var.subnet_ids.link != null)
    error_message = "private_link and front_door need machines and subnet_ids.link: where the Private Link Service has its addresses."
  }
}

variable "private_dns_zone_ids" {
  description = <<-EOT
    Private DNS zones.
    - `postgres`: of the database, `privatelink.postgres.database.azure.com` or another that ends so; linked to the machines' network.
    - `vault`: `privatelink.vaultcore.azure.net`, as `vault` of `region`; linked to the machines' network, which finds the key vault by it.
    - `host`: the zone of `host`, as `data_planes` of `region`. Needed with machines, unless `host_record_enabled` is false.
  EOT
  type = object({
    postgres = string
    vault    = string
    host     = optional(string)
  })
  nullable = false

  validation {
    condition     = alltrue([for id in values(var.private_dns_zone_ids) : id == null || can(regex("(?i)^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft\\.Network/privateDnsZones/[^/]+$", coalesce(id, "-")))])
    error_message = "private_dns_zone_ids must be ids of private DNS zones: /subscriptions/.../providers/Microsoft.Network/privateDnsZones/NAME."
  }
  validation {
    condition     = endswith(var.private_dns_zone_ids.postgres, ".postgres.database.azure.com")
    error_message = "private_dns_zone_ids.postgres must be of a zone that ends in .postgres.database.azure.com: Azure takes no other for a database."
  }
  validation {
    condition     = endswith(lower(var.private_dns_zone_ids.vault), "/privatelink.vaultcore.azure.net") || can(regex("/privatelink\\.vaultcore\\.[a-z.]+$", lower(var.private_dns_zone_ids.vault)))
    error_message = "private_dns_zone_ids.vault must be of the zone privatelink.vaultcore.azure.net, or that of a national cloud: names of key vaults are looked up in no other."
  }
  validation {
    condition     = var.private_dns_zone_ids.host == null || endswith(var.host, ".${reverse(split("/", coalesce(var.private_dns_zone_ids.host, "/-")))[0]}")
    error_message = "host must be a name in the zone private_dns_zone_ids.host, such as control.kv.example.com in kv.example.com."
  }
}

variable "database" {
  description = <<-EOT
    PostgreSQL Flexible Server.
    - `high_availability`: `ZoneRedundant`, `SameZone` where the region has no zones, or `None` for trying out. A failover takes 60 to 120 s, in which data planes serve on.
    - `geo_redundant_backup_enabled`: a copy of backups in the paired location. It can be chosen only at first: a change makes another server. Default: where Azure's location has a pair.
    - `storage_mb`: one of Azure's sizes; grows by itself. To raise it, see docs/operations/terraform.md: a plan says so.
    - `restore`: makes the server from another one's backups: `source_server_id`, and `time`, a point in time such as `2026-11-28T10:00:00Z`. With `other_location` from the copy in the paired location. See docs/operations/recovery.md.
    - `replica`: makes the server a replica of another one (`source_server_id`), some seconds behind it, as a standby in another region. It is read-only, so `machines` must be null, until `promoted` makes it a server of its own, for ever. It has no copy of its backups in the paired location. See docs/operations/recovery.md.
    - `administrator_login`: the user that the control plane logs on as, and makes its tables with.
  EOT
  type = object({
    version                      = optional(string, "17")
    sku_name                     = optional(string, "GP_Standard_D4ds_v5")
    storage_mb                   = optional(number, 131072)
    high_availability            = optional(string, "ZoneRedundant")
    backup_retention_days        = optional(number, 35)
    geo_redundant_backup_enabled = optional(bool)
    administrator_login          = optional(string, "kvstore")
    maintenance_window           = optional(object({ day_of_week = number, start_hour = number }), { day_of_week = 0, start_hour = 3 })
    restore                      = optional(object({ source_server_id = string, time = string, other_location = optional(bool, false) }))
    replica                      = optional(object({ source_server_id = string, promoted = optional(bool, false) }))
  })
  default  = {}
  nullable = false

  validation {
    condition     = contains(["15", "16", "17", "18"], var.database.version)
    error_message = "database.version must be 15 to 18: the control plane needs PostgreSQL 15 or newer."
  }
  validation {
    condition     = can(regex("^(B|GP|MO)_Standard_", var.database.sku_name))
    error_message = "database.sku_name must begin with B_Standard_, GP_Standard_ or MO_Standard_, such as GP_Standard_D4ds_v5."
  }
  validation {
    condition     = contains(["ZoneRedundant", "SameZone", "None"], var.database.high_availability)
    error_message = "database.high_availability must be ZoneRedundant, SameZone or None."
  }
  validation {
    condition     = var.database.high_availability == "None" || !startswith(var.database.sku_name, "B_")
    error_message = "database: burstable sizes (B_) have no high availability. Take a GP_ size, or high_availability = \"None\" for trying out."
  }
  validation {
    condition     = contains([32768, 65536, 131072, 262144, 524288, 1048576, 2097152, 4193280, 4194304, 8388608, 16777216, 33553408], var.database.storage_mb)
    error_message = "database.storage_mb must be one of Azure's sizes: 32768, 65536, 131072 and so on, doubling, to 33553408."
  }
  validation {
    condition     = var.database.backup_retention_days >= 7 && var.database.backup_retention_days <= 35
    error_message = "database.backup_retention_days must be 7 to 35."
  }
  validation {
    condition     = var.database.restore == null || can(timeadd(var.database.restore.time, "0s"))
    error_message = "database.restore.time must be a time such as 2026-11-28T10:00:00Z: azurerm demands one, also of a restore in another location, and says so only in the middle of an apply."
  }
  validation {
    condition     = var.database.restore == null || var.database.replica == null
    error_message = "database: a server is made by restore or as a replica, not by both."
  }
  validation {
    condition     = var.database.replica == null || try(var.database.replica.promoted, false) || var.machines == null
    error_message = "database.replica is read-only: no control plane can run on it. Set machines = null, or promoted = true once its source is lost."
  }
  validation {
    condition     = var.database.replica == null || !coalesce(var.database.geo_redundant_backup_enabled, false)
    error_message = "database.geo_redundant_backup_enabled: a replica has no copy of its backups in another location. Leave it out."
  }
  validation {
    condition     = !contains(["azure_superuser", "azuresu", "admin", "administrator", "root", "guest", "public", "postgres"], var.database.administrator_login) && can(regex("^[a-z][a-z0-9_]{0,62}$", var.database.administrator_login)) && !startswith(var.database.administrator_login, "pg_")
    error_message = "database.administrator_login must be a name of a-z, 0-9 and _ that Azure does not keep for itself, as it does admin, root and postgres."
  }
  validation {
    condition     = var.database.maintenance_window.day_of_week >= 0 && var.database.maintenance_window.day_of_week <= 6 && var.database.maintenance_window.start_hour >= 0 && var.database.maintenance_window.start_hour <= 23
    error_message = "database.maintenance_window: day_of_week is 0 (Sunday) to 6, start_hour 0 to 23 (UTC)."
  }
}

variable "database_name" {
  description = "Name of the server. Default: `NAME-pg`. A server that is restored beside the one before needs another."
  type        = string
  default     = null

  validation {
    condition     = var.database_name == null || can(regex("^[a-z0-9]([a-z0-9-]{1,61}[a-z0-9])$", var.database_name))
    error_message = "database_name must be 3 to 63 of a-z, 0-9 and '-', and begin and end with a letter or digit."
  }
}

variable "secrets" {
  description = <<-EOT
    Secrets of the control plane, in no plan and no state. Raise `secrets_version` for new ones.
    - `database_password`: of the database, as of an `ephemeral "random_password"`.
    - `admin_token`: `kva_` and 16 characters or more, for a first start. Leave it out once admins log on by OIDC.
  EOT
  type = object({
    database_password = string
    admin_token       = optional(string)
  })
  sensitive = true
  ephemeral = true
  nullable  = false

  validation {
    condition     = can(regex("^[A-Za-z0-9_-]{16,128}$", var.secrets.database_password))
    error_message = "secrets.database_password must be 16 to 128 of A-Z, a-z, 0-9, _ and -: it is a line of a file of variables."
  }
  validation {
    condition     = var.secrets.admin_token == null || can(regex("^kva_[A-Za-z0-9_-]{16,}$", coalesce(var.secrets.admin_token, "-")))
    error_message = "secrets.admin_token must be kva_ and 16 or more of A-Z, a-z, 0-9, _ and -."
  }
}

variable "secrets_version" {
  description = "Raise it when `secrets` are new: nothing else says so. Machines have the new password within 5 minutes, and need a restart of kv-control-plane to use it."
  type        = number
  default     = 1
  nullable    = false

  validation {
    condition     = var.secrets_version >= 1 && floor(var.secrets_version) == var.secrets_version
    error_message = "secrets_version must be a whole number, 1 or more."
  }
}

variable "key_vault" {
  description = <<-EOT
    The key vault for secrets and certificates of the control plane.
    - `allowed_ips`: public addresses from which it may be reached, as of the machine that applies this, which writes secrets. Empty: from the network alone.
    - `tls_certificate`: name of the certificate in it that is for `host`, of content type application/x-pem-file.
    - `administrator_principal_ids`: who may write secrets and certificates, by a name of your choice. Whoever applies this must be one.
    - `role_wait_seconds`: how long Terraform waits after it gave that right, before it writes a secret: Azure takes minutes until a right works, and refuses the secret until then. It runs `sleep`; on Windows take 0, and apply again.
  EOT
  type = object({
    allowed_ips                 = optional(set(string), [])
    tls_certificate             = optional(string, "kv-control")
    administrator_principal_ids = optional(map(string), {})
    role_wait_seconds           = optional(number, 180)
  })
  default  = {}
  nullable = false

  validation {
    condition     = alltrue([for ip in var.key_vault.allowed_ips : can(cidrhost(strcontains(ip, "/") ? ip : "${ip}/32", 0)) && !startswith(ip, "0.0.0.0")])
    error_message = "key_vault.allowed_ips must be IPv4 addresses or networks such as 203.0.113.7 or 203.0.113.0/28, and not the whole internet."
  }
  validation {
    condition     = var.key_vault.role_wait_seconds >= 0 && var.key_vault.role_wait_seconds <= 1800 && floor(var.key_vault.role_wait_seconds) == var.key_vault.role_wait_seconds
    error_message = "key_vault.role_wait_seconds must be a whole number from 0 to 1800."
  }
}

variable "machines" {
  description = <<-EOT
    Machines of the control plane, or null where it runs elsewhere, as in `cluster-aks`: then this makes the database, the key vault and the identity.
    - `source_image_id`: image of the machines, the same as that of data planes: a version of the module `machine-image`.
    - `ssh_public_key`: for the user `azureuser`; from within the network alone.
    - `instances`: replicas. Two go on when one is replaced.
    - `zones`: over which machines are spread. `frontend_zones`: those of the balancer's address, fixed at first: another value replaces the balancer, its rules and its Private Link service.
  EOT
  type = object({
    source_image_id = string
    ssh_public_key  = string
    sku_name        = optional(string, "Standard_D4ds_v5")
    instances       = optional(number, 3)
    zones           = optional(set(string), ["1", "2", "3"])
    frontend_zones  = optional(set(string), ["1", "2", "3"])
  })
  default = null

  validation {
    condition     = var.machines == null || can(regex("(?i)^/(subscriptions|sharedGalleries|communityGalleries)/.+/images/[^/]+(/versions/[^/]+)?$", try(var.machines.source_image_id, "-")))
    error_message = "machines.source_image_id must be the id of an image or of a version of a gallery's image."
  }
  validation {
    condition     = var.machines == null || can(regex("^ssh-(rsa|ed25519) [A-Za-z0-9+/=]+", try(var.machines.ssh_public_key, "-")))
    error_message = "machines.ssh_public_key must be a public key, as in a file *.pub: ssh-ed25519 AAAA... or ssh-rsa AAAA..."
  }
  validation {
    condition     = var.machines == null || (try(var.machines.instances, 0) >= 2 && try(var.machines.instances, 0) <= 20)
    error_message = "machines.instances must be 2 to 20: one alone is away while it is replaced, and each takes 37 connections to the database."
  }
}

variable "oidc" {
  description = "OpenID Connect provider of admins: `issuer`, as `https://login.microsoftonline.com/TENANT/v2.0`, and `audience` of its tokens. Not set: the admin token alone."
  type = object({
    issuer   = string
    audience = optional(string, "kvstore")
  })
  default = null

  validation {
    condition     = var.oidc == null || startswith(try(var.oidc.issuer, "-"), "https://")
    error_message = "oidc.issuer must begin with https://: whoever is in between could make admins."
  }
}

variable "outbound_access" {
  description = "Whether the machines reach the internet: `outbound_access` of `region`, or true where a firewall or gateway of yours lets them. `oidc` needs it."
  type        = bool
  default     = false
  nullable    = false

  validation {
    condition     = var.oidc == null || var.machines == null || var.outbound_access
    error_message = "oidc needs outbound_access: machines fetch the issuer's keys from the internet. Give region a nat_gateway and pass on its outbound_access, or set it to true where another way out is there."
  }
}

variable "settings" {
  description = "Further settings of the control plane, `KVSTORE_NAME = value`, of docs/operations/all-settings.md. No secrets: they would be in the state."
  type        = map(string)
  default     = {}
  nullable    = false

  validation {
    condition     = length(setsubtract(keys(var.settings), keys(local.known_settings["control-plane"]))) == 0
    error_message = "settings: no control plane has ${join(", ", setsubtract(keys(var.settings), keys(local.known_settings["control-plane"])))}; docs/operations/all-settings.md lists all. Secrets are given by secrets; a join token of the whole platform is for trying out alone."
  }

  validation {
    condition     = alltrue([for name, value in var.settings : can(regex(local.known_settings.forms[try(local.known_settings["control-plane"][name].type, "text")], value))])
    error_message = "settings of another type: ${join(", ", [for name, value in var.settings : "${name} must be a ${try(local.known_settings["control-plane"][name].type, "text")}${try(", ${local.known_settings["control-plane"][name].range}", "")}" if !can(regex(local.known_settings.forms[try(local.known_settings["control-plane"][name].type, "text")], value))])}. Sizes take K, M, G, T, times ms, s, m, h, d."
  }

  validation {
    condition = alltrue([for name, value in var.settings : try(
      tonumber(regex("^[0-9]+", value)) * local.known_settings.units[regex("[A-Za-z]*$", value)] >= tonumber(local.known_settings["control-plane"][name].least) &&
      tonumber(regex("^[0-9]+", value)) * local.known_settings.units[regex("[A-Za-z]*$", value)] <= tonumber(try(local.known_settings["control-plane"][name].most, "1e30")),
      true
    )])
    error_message = "settings out of range: ${join(", ", [for name in keys(var.settings) : "${name} takes ${local.known_settings["control-plane"][name].range}" if can(local.known_settings["control-plane"][name].range)])}."
  }
}

variable "private_link" {
  description = <<-EOT
    A Private Link Service, by which other networks reach REST and gRPC; null for none.
    - `auto_approval_subscription_ids`: subscriptions whose private endpoints are approved by themselves. Others ask.
  EOT
  type = object({
    auto_approval_subscription_ids = optional(set(string), [])
  })
  default = null

  validation {
    condition     = var.private_link == null || !contains(try(var.private_link.auto_approval_subscription_ids, []), "*")
    error_message = "private_link.auto_approval_subscription_ids must be subscriptions: \"*\" would let in everybody in Azure who knows the alias."
  }
}

variable "host_record_enabled" {
  description = "Whether `host` gets a record in the zone `private_dns_zone_ids.host`. Switch it off to make the record yourself."
  type        = bool
  default     = true
  nullable    = false

  validation {
    condition     = !var.host_record_enabled || var.machines == null || var.private_dns_zone_ids.host != null
    error_message = "The record of host needs private_dns_zone_ids.host; or set host_record_enabled = false, and make the record yourself."
  }
}

variable "front_door" {
  description = <<-EOT
    Front Door before the REST API, for admins and Terraform outside of the network; null for none. It speaks HTTP/1.1 to the control plane, so it is no way for gRPC.
    - `allowed_ips`: who may: public addresses and networks of your offices and pipelines.
    - `name`: of the profile and its endpoint. Default: `name` of this module. Give it where a control plane has moved under another name, so that the URL stays.
    The certificate of `host` has to be of a public authority, and its private endpoint has to be approved by hand, once.
  EOT
  type = object({
    allowed_ips = set(string)
    name        = optional(string)
  })
  default = null

  validation {
    condition     = var.front_door == null || (length(try(var.front_door.allowed_ips, [])) > 0 && alltrue([for ip in try(var.front_door.allowed_ips, []) : can(cidrhost(strcontains(ip, "/") ? ip : "${ip}/32", 0)) && !startswith(ip, "0.0.0.0")]))
    error_message = "front_door.allowed_ips must name who may: addresses or networks such as 203.0.113.0/28, and not the whole internet. The API is for admins."
  }
}

variable "lock" {
  description = "A lock on the database, which is what cannot be made again: `kind` is `CanNotDelete` or `ReadOnly`; null for none. `terraform destroy` takes it away first."
  type        = object({ kind = string, name = optional(string, null) })
  default     = { kind = "CanNotDelete" }

  validation {
    condition     = var.lock == null || contains(["CanNotDelete", "ReadOnly"], try(var.lock.kind, ""))
    error_message = "lock.kind must be CanNotDelete or ReadOnly."
  }
}

variable "metrics" {
  description = <<-EOT
    Where machines send their metrics; null for nowhere. Prometheus in agent mode, of the image, scrapes the control plane every 30 s. A change reaches machines that run, and restarts nothing else.
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
  description = "Where logs and metrics of the database and the key vault go, by a name of your choice."
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
    condition = alltrue([for setting in var.diagnostic_settings : anytrue([
      setting.workspace_resource_id != null, setting.storage_account_resource_id != null,
      setting.event_hub_authorization_rule_resource_id != null, setting.marketplace_partner_resource_id != null
    ])])
    error_message = "Each of diagnostic_settings needs a place: workspace_resource_id, storage_account_resource_id, event_hub_authorization_rule_resource_id or marketplace_partner_resource_id."
  }
}

variable "tags" {
  description = "Tags of everything here that can have some, at most 15."
  type        = map(string)
  default     = {}
  nullable    = false

  validation {
    condition     = length(var.tags) <= 15
    error_message = "tags must be at most 15: secrets of key vaults and DNS zones take no more, and are refused in the middle of an apply."
  }
}
