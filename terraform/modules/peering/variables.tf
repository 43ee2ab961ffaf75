variable "regions" {
  description = <<-EOT
    Regions by name, which stays: at least two.
    - `virtual_network_id`, `address_space`: outputs of `region`.
    - `private_dns_zone_id`: `private_dns_zone_ids["data_planes"]` of `region`. Needed with `resolve_names`.
  EOT
  type = map(object({
    virtual_network_id  = string
    address_space       = string
    private_dns_zone_id = optional(string)
  }))
  nullable = false

  validation {
    condition     = alltrue([for region in var.regions : can(regex("(?i)^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft.Network/virtualNetworks/[^/]+$", region.virtual_network_id))])
    error_message = "regions: virtual_network_id must be the id of a virtual network, /subscriptions/.../virtualNetworks/NAME: azurerm takes any text, and Azure refuses it in the middle of an apply."
  }

  validation {
    condition     = alltrue([for region in var.regions : can(cidrnetmask(region.address_space))])
    error_message = "regions: address_space must be an IPv4 range such as 10.64.0.0/16: overlaps are found by it."
  }

  # Two ranges overlap if they are the same at the length of the shorter prefix.
  validation {
    condition = alltrue(flatten([for name, here in var.regions : [for other, there in var.regions : name == other || try(
      cidrsubnet("${split("/", here.address_space)[0]}/${min(split("/", here.address_space)[1], split("/", there.address_space)[1])}", 0, 0) !=
      cidrsubnet("${split("/", there.address_space)[0]}/${min(split("/", here.address_space)[1], split("/", there.address_space)[1])}", 0, 0),
      true
    )]]))
    error_message = "regions: two regions overlap (${join(", ", [for name, region in var.regions : "${name} ${region.address_space}"])}): Azure does not peer networks that overlap, and the range of one cannot be changed without replacing its subnets."
  }
}

variable "resolve_names" {
  description = "Whether names of each region's data planes are found in all others. With `false` the zones' owner links them."
  type        = bool
  default     = true
  nullable    = false

  validation {
    condition     = !var.resolve_names || alltrue([for region in var.regions : region.private_dns_zone_id != null])
    error_message = "resolve_names needs private_dns_zone_id of each region."
  }
}

variable "tags" {
  description = "Tags of all resources that can have some, at most 15."
  type        = map(string)
  default     = {}
  nullable    = false

  validation {
    condition     = length(var.tags) <= 15
    error_message = "tags must be at most 15: links of DNS zones take no more, and Azure refuses them in the middle of an apply."
  }
}
