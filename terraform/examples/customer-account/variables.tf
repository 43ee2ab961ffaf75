variable "tenant" {
  description = "Name of the tenant at KV Store, which its platform team has registered."
  type        = string
}

variable "account" {
  description = "Name of the account, by which clients find it."
  type        = string
}

variable "storage_account_name" {
  description = "Name of the storage account, which nobody else in Azure may have."
  type        = string

  validation {
    condition     = can(regex("^[a-z0-9]{3,24}$", var.storage_account_name))
    error_message = "storage_account_name must be 3 to 24 of a-z and 0-9."
  }
}

variable "location" {
  description = "Azure region: that of the data planes, since blocks go to and fro."
  type        = string
}

variable "region" {
  description = "Name of that region at KV Store."
  type        = string
}

variable "principal_ids" {
  description = "Principal ids of the data planes' identities, which KV Store's platform team names: `identity_principal_id` of its clusters."
  type        = map(string)
}

variable "allowed_ips" {
  description = "Public addresses from which the storage may be reached, as of the machine that applies this, which writes the proof. Data planes come by a private endpoint."
  type        = set(string)
  default     = []

  validation {
    condition     = length(var.allowed_ips) > 0 || var.applied_from_network
    error_message = "allowed_ips must have the public address of the machine that applies this (such as [\"203.0.113.7\"]): it writes the proof, and a closed account answers 403. From a network with a private endpoint of the account say applied_from_network = true."
  }
}

variable "applied_from_network" {
  description = "Whether the machine that applies this reaches the storage by a private endpoint."
  type        = bool
  default     = false
}

variable "grants" {
  description = "Other tenants that may use the account, with what they may: such as `{ models = [\"read\", \"write\"] }`."
  type        = map(set(string))
  default     = {}
}

variable "keep_days" {
  description = "For how many days a block is kept after it was written."
  type        = number
  default     = 30
}
