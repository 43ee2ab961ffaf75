variable "subscription_id" {
  description = "Subscription of all resources."
  type        = string
}

variable "stage" {
  description = "How far to go: 1 networks, database and key vault; 2 the control plane's machines as well; 3 clusters and customers, registered, as well."
  type        = number
  default     = 3

  validation {
    condition     = contains([1, 2, 3], var.stage)
    error_message = "stage must be 1, 2 or 3."
  }
}

variable "regions" {
  description = "Regions by name. A further one is a further line. The copy of the database's backups lies in the location that Azure pairs with that of control_plane_region: one region should be there, as of northeurope is westeurope."
  type = map(object({
    location      = string
    address_space = string
    instances     = optional(number, 3)
  }))
  default = {
    eu-1 = { location = "northeurope", address_space = "10.64.0.0/16" }
    eu-2 = { location = "westeurope", address_space = "10.65.0.0/16" }
    us-1 = { location = "eastus2", address_space = "10.66.0.0/16" }
    us-2 = { location = "centralus", address_space = "10.67.0.0/16" }
    ap-1 = { location = "japaneast", address_space = "10.68.0.0/16" }
  }
}

variable "control_plane_region" {
  description = "The region of database, key vault and control plane. Choose before the first apply."
  type        = string
  default     = "eu-1"

  validation {
    condition     = contains(keys(var.regions), var.control_plane_region)
    error_message = "control_plane_region must be one of regions."
  }
}

variable "control_plane_name_region" {
  description = "The region whose zone has the control plane's name. Default: control_plane_region. Where the control plane moves it stays, so that all find it."
  type        = string
  default     = null

  validation {
    condition     = var.control_plane_name_region == null || contains(keys(var.regions), coalesce(var.control_plane_name_region, "-"))
    error_message = "control_plane_name_region must be one of regions."
  }
}

variable "standby" {
  description = "A standby of the control plane in another of regions: a replica of the database, some seconds behind, and a key vault with the same secrets. `name`: of its database and its key vault. Machines are started once it takes over: see docs/operations/recovery.md. Null for none: the database is then restored from a backup."
  type        = object({ region = string, name = string })
  default     = null

  validation {
    condition     = var.standby == null || (contains(var.replicating_regions, try(var.standby.region, "-")) && contains(var.replicating_regions, var.control_plane_region) && try(var.standby.region, "") != var.control_plane_region)
    error_message = "standby.region must be one of replicating_regions, and control_plane_region the other one."
  }
}

variable "replicating_regions" {
  description = "The two regions whose databases reach each other, for `standby`. Leave them as they are when the standby takes over: nothing of a lost region can be changed."
  type        = set(string)
  default     = []

  validation {
    condition     = contains([0, 2], length(var.replicating_regions)) && length(setsubtract(var.replicating_regions, keys(var.regions))) == 0
    error_message = "replicating_regions must be two of regions, or none."
  }
}

variable "database" {
  description = "Of the database, as `database` of modules/control-plane has it: `restore` for one of a backup."
  type        = any
  default     = {}
}

variable "database_name" {
  description = "Name of the database server, if not that of the control plane and `-pg`."
  type        = string
  default     = null
}

variable "secrets_version" {
  description = "Raise it by one for new secrets of the control plane, and after a restore of the database."
  type        = number
  default     = 1
}

variable "lock" {
  description = "Whether the database is locked against deletion."
  type        = bool
  default     = true
}

variable "round_trip_micros" {
  description = "Microseconds between two regions, by `ONE/OTHER`."
  type        = map(number)
  default = {
    "eu-1/eu-2" = 18000, "eu-1/us-1" = 80000, "eu-1/us-2" = 94000, "eu-1/ap-1" = 230000, "eu-2/us-1" = 84000
    "eu-2/us-2" = 104000, "eu-2/ap-1" = 236000, "us-1/us-2" = 30000, "us-1/ap-1" = 160000, "us-2/ap-1" = 140000
  }

  validation {
    condition     = alltrue([for pair in keys(var.round_trip_micros) : length(setsubtract(split("/", pair), keys(var.regions))) == 0 && length(split("/", pair)) == 2])
    error_message = "round_trip_micros: each must be of two of regions, such as \"eu-1/us-1\"."
  }
}

variable "domain" {
  description = "Domain below which the regions' names are, as `eu-1.kv.internal`."
  type        = string
  default     = "kv.internal"
}

variable "control_plane_name" {
  description = "Name of the control plane: of its database and its key vault, which nobody else in Azure may have."
  type        = string
}

variable "image_id" {
  description = "Image of the machines, in place of `image_version`: a copy in another gallery, once the region of the gallery is lost."
  type        = string
  default     = null
}

variable "image_version" {
  description = "Version of the machines' image that Packer published into the gallery of stage 1, such as 1.4.0. Stage 1 needs none."
  type        = string
  default     = null

  validation {
    condition     = var.image_version == null ? var.stage == 1 || var.image_id != null : can(regex("^[0-9]+\\.[0-9]+\\.[0-9]+$", var.image_version))
    error_message = "image_version must be a version such as 1.4.0 from stage 2 on: machines are started from it."
  }
}

variable "bastion_regions" {
  description = "Regions with an Azure Bastion, by which admins come into the networks: one is enough for all, until it is lost."
  type        = set(string)
  default     = []

  validation {
    condition     = length(setsubtract(var.bastion_regions, keys(var.regions))) == 0
    error_message = "bastion_regions must be of regions."
  }
}

variable "ssh_public_key" {
  description = "Public key of the machines' administrator."
  type        = string
}

variable "ca_file" {
  description = "PEM file with the authority of the certificates: names such as control.eu-1.kv.internal have none of a public one."
  type        = string
  default     = null
}

variable "database_password" {
  description = "Password of the database, in no plan and no state: TF_VAR_database_password."
  type        = string
  sensitive   = true
  ephemeral   = true
}

variable "admin_token" {
  description = "Admin token of the control plane, kva_ and 16 characters or more, in no plan and no state: TF_VAR_admin_token."
  type        = string
  sensitive   = true
  ephemeral   = true
}

variable "join_token_secret" {
  description = "What the secrets of the clusters' join tokens begin with, 43 to 100 of A-Z, a-z, 0-9, _ and -, at random, in no plan and no state: TF_VAR_join_token_secret."
  type        = string
  sensitive   = true
  ephemeral   = true
}

variable "control_plane_url" {
  description = "Where Terraform reaches the control plane's REST API, if not at its name in its region."
  type        = string
  default     = null
}

variable "vault_administrator_ids" {
  description = "Object ids of whoever writes secrets and certificates into the key vault, by a name of yours; whoever applies this must be one. Default: whoever applies this. Give them where that is not always the same."
  type        = map(string)
  default     = null
}

variable "role_wait_seconds" {
  description = "How long Terraform waits until the right to write secrets works."
  type        = number
  default     = 180
}

variable "admin_ips" {
  description = "Public addresses from which secrets are written into the key vault: that of whoever applies this."
  type        = set(string)
  default     = []
}

variable "admin_address_prefixes" {
  description = "Ranges of admins' own networks, from which the control plane's REST API is reached."
  type        = set(string)
  default     = []
}

variable "customers" {
  description = <<-EOT
    Customers by name, which becomes that of the tenant; the account is NAME-prod.
    - `home_region`: the region whose replica also serves the regions that have none; data planes of a region with a replica write to that one, and read missing blocks through to the home region's.
    - `replicas`: by region, the storage account and its container, which exist.
    - `warm_regions`: regions into which blocks are copied soon after they were written and read at home, by a standing warming each.
  EOT
  type = map(object({
    home_region = string
    replicas = map(object({
      storage_account_id = string
      container          = string
    }))
    warm_regions = optional(set(string), [])
  }))
  default = {}

  validation {
    condition     = alltrue([for customer in var.customers : contains(keys(customer.replicas), customer.home_region) && length(setsubtract(keys(customer.replicas), keys(var.regions))) == 0])
    error_message = "customers: home_region must be one of replicas, and each of replicas one of regions."
  }

  validation {
    condition     = alltrue([for customer in var.customers : length(setsubtract(customer.warm_regions, setsubtract(keys(customer.replicas), [customer.home_region]))) == 0])
    error_message = "customers: each of warm_regions must be another one of replicas than home_region."
  }
}

variable "logs" {
  description = "Whether journals of machines go to Log Analytics, too. Azure charges each GB."
  type        = bool
  default     = false
}

variable "alert_emails" {
  description = "Who is told of alerts, by a name of yours."
  type        = map(string)
  default     = {}
}

variable "tags" {
  description = "Tags of all resources."
  type        = map(string)
  default     = {}
}
