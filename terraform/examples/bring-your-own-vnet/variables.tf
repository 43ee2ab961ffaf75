variable "subscription_id" {
  description = "Subscription of the cluster."
  type        = string
}

variable "cluster" {
  description = "Name of the cluster."
  type        = string
  default     = "eu-1-a"
}

variable "region" {
  description = "Name of the region at the control plane."
  type        = string
  default     = "eu-1"
}

variable "location" {
  description = "Azure's name of the network's location."
  type        = string
  default     = "germanywestcentral"
}

variable "resource_group_name" {
  description = "Resource group of the cluster."
  type        = string
}

variable "subnet_id" {
  description = "Subnet of yours for the machines."
  type        = string
}

variable "private_dns_zone_id" {
  description = "Private DNS zone of yours, to which the network is linked with auto-registration."
  type        = string
}

variable "key_vault_id" {
  description = "Key vault with the join token and the certificate."
  type        = string
}

variable "image_id" {
  description = "Version of the machines' image in a gallery that has a copy in the location: modules/machine-image."
  type        = string
}

variable "ssh_public_key" {
  description = "Public key of the machines' administrator."
  type        = string
}

variable "control_plane_endpoint" {
  description = "gRPC of the control plane."
  type        = string
}
