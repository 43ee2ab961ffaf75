variable "subscription_id" {
  description = "Subscription of all resources."
  type        = string
}

variable "address_spaces" {
  description = "Address ranges of the two networks, which must not overlap."
  type        = object({ eu = optional(string, "10.64.0.0/16"), us = optional(string, "10.65.0.0/16") })
  default     = {}
}

variable "image_ids" {
  description = "Image of the machines, by region: the gallery must have it replicated there."
  type        = map(string)
}

variable "ssh_public_key" {
  description = "Public key of the machines' administrator."
  type        = string
}

variable "control_plane_endpoint" {
  description = "gRPC of the control plane, which exists: `grpc_endpoint` of modules/control-plane. Both networks must reach it."
  type        = string
}

variable "key_vault_id" {
  description = "Key vault with the certificates kv-tls-eu-1 and kv-tls-us-1; join tokens are put into it."
  type        = string
}

variable "round_trip_micros" {
  description = "Round trip between the regions, in microseconds."
  type        = number
  default     = 90000
}
