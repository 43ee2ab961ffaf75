variable "gallery_name" {
  description = "Name of the gallery, once in its resource group."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[A-Za-z0-9]([A-Za-z0-9._]{0,78}[A-Za-z0-9])?$", var.gallery_name))
    error_message = "gallery_name must be 1 to 80 letters, digits, points and _, with a letter or digit at both ends: galleries take no -."
  }
}

variable "location" {
  description = "Azure's name of the location of the gallery, where images are built, such as `germanywestcentral`."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][a-z0-9]+$", var.location))
    error_message = "location must be written as Azure's API does, such as germanywestcentral, not \"Germany West Central\"."
  }
}

variable "resource_group_name" {
  description = "Name of the gallery's resource group, which exists."
  type        = string
  nullable    = false
}

variable "machine_locations" {
  description = "Locations that have machines, to which each version is copied. That of the gallery has one anyway."
  type        = set(string)
  nullable    = false

  validation {
    condition     = alltrue([for location in var.machine_locations : can(regex("^[a-z][a-z0-9]+$", location))])
    error_message = "machine_locations must be written as Azure's API does, such as germanywestcentral, not \"Germany West Central\"."
  }
}

variable "name" {
  description = "Name of the image definition."
  type        = string
  default     = "kvstore"
  nullable    = false

  validation {
    condition     = can(regex("^[A-Za-z0-9]([A-Za-z0-9._-]{0,78}[A-Za-z0-9])?$", var.name))
    error_message = "name must be 1 to 80 letters, digits, points, _ and -, with a letter or digit at both ends: Azure refuses others."
  }
}

variable "architecture" {
  description = "Architecture of the machines: `x64`, or `Arm64` for sizes whose name has a `p`, such as Standard_E32pds_v6. A change replaces the image definition."
  type        = string
  default     = "x64"
  nullable    = false

  validation {
    condition     = contains(["x64", "Arm64"], var.architecture)
    error_message = "architecture must be x64 or Arm64."
  }
}

variable "tags" {
  description = "Tags of all resources, at most 15."
  type        = map(string)
  default     = {}
  nullable    = false

  validation {
    condition     = length(var.tags) <= 15
    error_message = "tags must be at most 15, as in all modules: some resources take no more."
  }
}
