variable "subscription_id" {
  description = "Subscription of all resources."
  type        = string
}

variable "stage" {
  description = "How far to go: 1 network, database and key vault; 2 the control plane's machines as well; 3 the cluster, registered, as well."
  type        = number
  default     = 3

  validation {
    condition     = contains([1, 2, 3], var.stage)
    error_message = "stage must be 1, 2 or 3."
  }
}

variable "region" {
  description = "Name of the region."
  type        = string
  default     = "eu-1"
}

variable "location" {
  description = "Azure's name of the location."
  type        = string
  default     = "germanywestcentral"
}

variable "address_space" {
  description = "Address range of the region's network."
  type        = string
  default     = "10.64.0.0/16"
}

variable "domain" {
  description = "Domain below which the region's names are, as `eu-1.kv.internal`."
  type        = string
  default     = "kv.internal"
}

variable "control_plane_name" {
  description = "Name of the control plane: of its database and its key vault, which nobody else in Azure may have."
  type        = string
}

variable "image_id" {
  description = "Version of the machines' image in a gallery that has a copy in the location: modules/machine-image."
  type        = string
}

variable "bastion" {
  description = "Whether admins come into the network by Azure Bastion."
  type        = bool
  default     = false
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

variable "instances" {
  description = "Machines of the cluster."
  type        = number
  default     = 3
}

variable "admin_address_prefixes" {
  description = "Ranges of admins' own networks, peered or over a VPN, from which the control plane's REST API is reached: by Terraform, too, from stage 3 on."
  type        = set(string)
  default     = []
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
  description = "Secret of the join token of this join_token_version, 43 to 128 of A-Z, a-z, 0-9, _ and -, at random, in no plan and no state: TF_VAR_join_token_secret."
  type        = string
  sensitive   = true
  ephemeral   = true
}

variable "control_plane_url" {
  description = "Where Terraform reaches the control plane's REST API, if not at its name in the region."
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

variable "join_token_version" {
  description = "Raise it by one, with another join_token_secret, for a new join token, which machines read from the key vault within minutes. The one before is revoked when it is raised again."
  type        = number
  default     = 1
}

variable "private_link" {
  description = "Whether customers come by Private Link. All clients of the cluster then go through the load balancer."
  type        = bool
  default     = false
}

variable "customer_subscription_ids" {
  description = "Subscriptions whose private endpoints to the cluster need no approval."
  type        = set(string)
  default     = []
}

variable "tenants" {
  description = "Tenants, as `tenants` of modules/registration has them."
  type        = any
  default     = {}
}

variable "accounts" {
  description = "Storage accounts, as `accounts` of modules/registration has them."
  type        = any
  default     = {}
}

variable "grants" {
  description = "Grants, as `grants` of modules/registration has them."
  type        = any
  default     = {}
}

variable "keys" {
  description = "API keys, as `keys` of modules/registration has them."
  type        = any
  default     = {}
}

variable "alert_emails" {
  description = "Who is told of alerts, by a name of yours."
  type        = map(string)
  default     = {}
}

variable "logs" {
  description = "Whether journals of machines go to Log Analytics, too. Azure charges each GB."
  type        = bool
  default     = false
}

variable "lock" {
  description = "Whether the database is locked against deletion."
  type        = bool
  default     = true
}

variable "tags" {
  description = "Tags of all resources."
  type        = map(string)
  default     = {}
}
