variable "name" {
  description = "Prefix of the names of what is made here, such as the customer's name."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[A-Za-z0-9]([A-Za-z0-9._-]{0,38}[A-Za-z0-9])?$", var.name))
    error_message = "name must be 1 to 40 of A-Z, a-z, 0-9, '.', '_' and '-', and begin and end with a letter or digit: longer names are built from it."
  }
}

variable "location" {
  description = "Azure region of private endpoints: that of their subnets."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][a-z0-9]+$", var.location))
    error_message = "location must be written as Azure's API does, such as germanywestcentral, not \"Germany West Central\": azurerm rewrites the other form, and two ways to write one location plan changes of nothing."
  }
}

variable "resource_group_name" {
  description = "Name of the resource group of private endpoints and DNS zones."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[A-Za-z0-9_().-]{0,89}[A-Za-z0-9_()-]$", var.resource_group_name))
    error_message = "resource_group_name must be the name of a resource group, not its id: 1 to 90 letters, digits, _, (, ), . and -."
  }
}

variable "principal_ids" {
  description = "Principal ids of the identities of data planes, by a name of your choice such as the region: `identity_principal_id` of `cluster-vmss` or `cluster-aks`."
  type        = map(string)
  default     = {}
  nullable    = false

  validation {
    condition     = alltrue([for id in values(var.principal_ids) : can(regex("^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$", id))])
    error_message = "principal_ids must be principal ids (GUIDs in lower case) of identities, not their client ids or resource ids."
  }
}

variable "containers" {
  description = <<-EOT
    Containers that data planes may use, by a name of your choice.
    - `container_id`: Resource Manager id of the container.
    - `access`: `write`, which reads, writes and deletes blobs, or `read`, for one that other regions copy from alone.
    - `principals`: the ones of `principal_ids` that may. Default: all.
  EOT
  type = map(object({
    container_id = string
    access       = optional(string, "write")
    principals   = optional(set(string))
  }))
  default  = {}
  nullable = false

  validation {
    condition     = alltrue([for container in var.containers : can(regex("(?i)^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft\\.Storage/storageAccounts/[^/]+/blobServices/default/containers/[^/]+$", container.container_id))])
    error_message = "container_id must be the id of one container: /subscriptions/.../storageAccounts/NAME/blobServices/default/containers/CONTAINER (`azurerm_storage_container.x.id` with storage_account_id set). Rights on the whole account would reach containers that are none of KV Store's."
  }
  validation {
    condition     = alltrue([for container in var.containers : contains(["read", "write"], container.access)])
    error_message = "access of a container must be read or write."
  }
  validation {
    condition     = alltrue([for container in var.containers : length(setsubtract(coalesce(container.principals, []), keys(var.principal_ids))) == 0])
    error_message = "principals of a container must be names of principal_ids."
  }
  validation {
    condition     = length(var.containers) == 0 || length(var.principal_ids) > 0
    error_message = "containers need principal_ids: somebody who may use them."
  }
}

variable "proofs" {
  description = <<-EOT
    Blobs that show KV Store that a container is its tenant's, by a name of your choice: `proofs` of the module `registration`. Whoever applies this needs
    *Storage Blob Data Contributor* on the container, and `storage_use_azuread = true` in the provider.
    - `container`: which of `containers`.
    - `blob`, `content`: as KV Store says.
  EOT
  type = map(object({
    container = string
    blob      = string
    content   = string
  }))
  default  = {}
  nullable = false

  validation {
    condition     = alltrue([for proof in var.proofs : contains(keys(var.containers), proof.container)])
    error_message = "container of a proof must be a name of containers."
  }
}

variable "storage_endpoints" {
  description = <<-EOT
    Private endpoints of storage accounts in the data planes' virtual network, by a name of your choice.
    - `storage_account_id`: the account.
    - `subnet_id`: `subnet_ids["endpoints"]` of `region`.
    - `private_dns_zone_ids`: `[private_dns_zone_ids["blob"]]` of `region`. Without it data planes go on to the public address.
    - `approval_message`: for an account of another subscription or Entra tenant whose owner has to approve the endpoint: a text for the owner. Until then data planes do not reach it.
  EOT
  type = map(object({
    storage_account_id   = string
    subnet_id            = string
    private_dns_zone_ids = optional(set(string), [])
    approval_message     = optional(string)
  }))
  default  = {}
  nullable = false

  validation {
    condition     = alltrue([for endpoint in var.storage_endpoints : can(regex("(?i)^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft\\.Storage/storageAccounts/[^/]+$", endpoint.storage_account_id))])
    error_message = "storage_account_id must be the id of a storage account: /subscriptions/.../providers/Microsoft.Storage/storageAccounts/NAME."
  }
  validation {
    condition     = alltrue([for endpoint in var.storage_endpoints : can(regex("(?i)/virtualNetworks/[^/]+/subnets/[^/]+$", endpoint.subnet_id))])
    error_message = "subnet_id must be the id of a subnet: /subscriptions/.../virtualNetworks/VNET/subnets/NAME."
  }
  validation {
    condition     = alltrue([for endpoint in var.storage_endpoints : length(coalesce(endpoint.approval_message, "-")) <= 140])
    error_message = "approval_message is longer than the 140 characters that Azure takes."
  }
}

variable "service_endpoints" {
  description = <<-EOT
    Private endpoints of KV Store in the customer's virtual network, by a name of your choice such as the cluster's.
    - `private_link_service_alias`: of the cluster: `private_link_service_alias` of `cluster-vmss`. Or `private_link_service_id`, within one Entra tenant.
    - `subnet_id`: where the customer's clients are.
    - `host`: name by which clients find it: the cluster's `advertised_address`. Certificates have it. Write it down: a name that another resource computes is not known when zones are planned. Not set: no DNS is made.
    - `virtual_network_ids`: networks that find the name, by a name of your choice.
    - `request_message`: for the owner of the cluster, who approves the endpoint unless the subscription is approved already.
  EOT
  type = map(object({
    private_link_service_alias = optional(string)
    private_link_service_id    = optional(string)
    subnet_id                  = string
    host                       = optional(string)
    virtual_network_ids        = optional(map(string), {})
    request_message            = optional(string, "KV Store")
  }))
  default  = {}
  nullable = false

  validation {
    condition     = alltrue([for endpoint in var.service_endpoints : (endpoint.private_link_service_alias == null) != (endpoint.private_link_service_id == null)])
    error_message = "A service endpoint has private_link_service_alias or private_link_service_id: one of them."
  }
  validation {
    condition     = alltrue([for endpoint in var.service_endpoints : endpoint.host == null || can(regex("^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?){2,}$", coalesce(endpoint.host, "-")))])
    error_message = "host must be a name of three labels or more without a port, such as eu-1-a.kv.example.com: the zone is what is behind its first dot."
  }
  validation {
    condition     = alltrue([for endpoint in var.service_endpoints : endpoint.host == null || length(endpoint.virtual_network_ids) > 0])
    error_message = "A service endpoint with host needs virtual_network_ids: a private zone is seen by the networks that it is linked to, and by no other."
  }
  validation {
    condition     = alltrue([for endpoint in var.service_endpoints : can(regex("(?i)/virtualNetworks/[^/]+/subnets/[^/]+$", endpoint.subnet_id))])
    error_message = "subnet_id must be the id of a subnet: /subscriptions/.../virtualNetworks/VNET/subnets/NAME."
  }
}

variable "peerings" {
  description = <<-EOT
    This side of peerings between virtual networks, by a name of your choice. The other side is an input of its own owner, as of `region`; neither works alone.
    - `virtual_network_id`: the network of this side.
    - `remote_virtual_network_id`: the other one.
    - `address_space`, `remote_address_space`: of both, to be checked for overlap, which Azure refuses.
  EOT
  type = map(object({
    virtual_network_id        = string
    remote_virtual_network_id = string
    address_space             = optional(set(string), [])
    remote_address_space      = optional(set(string), [])
  }))
  default  = {}
  nullable = false

  validation {
    condition     = alltrue(flatten([for peering in var.peerings : [for id in [peering.virtual_network_id, peering.remote_virtual_network_id] : can(regex("(?i)^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft\\.Network/virtualNetworks/[^/]+$", id))]]))
    error_message = "virtual_network_id and remote_virtual_network_id must be ids of virtual networks: /subscriptions/.../providers/Microsoft.Network/virtualNetworks/NAME."
  }
  validation {
    condition     = alltrue([for peering in var.peerings : lower(peering.virtual_network_id) != lower(peering.remote_virtual_network_id)])
    error_message = "A peering is between two networks, not of one with itself."
  }
  validation {
    # Two networks overlap if the shorter prefix, applied to both, gives the same network.
    condition = alltrue(flatten([for peering in var.peerings : [for here in peering.address_space : [for there in peering.remote_address_space :
      cidrsubnet("${split("/", here)[0]}/${min(tonumber(split("/", here)[1]), tonumber(split("/", there)[1]))}", 0, 0) !=
      cidrsubnet("${split("/", there)[0]}/${min(tonumber(split("/", here)[1]), tonumber(split("/", there)[1]))}", 0, 0)
    ]]]))
    error_message = "address_space and remote_address_space of a peering overlap. Peered networks need addresses of their own: renumber one, or use private endpoints (service_endpoints) instead."
  }
}

variable "tags" {
  description = "Tags of everything here that can have some, at most 15."
  type        = map(string)
  default     = {}
  nullable    = false

  validation {
    condition     = length(var.tags) <= 15
    error_message = "tags must be at most 15: DNS zones and their records take no more, and Azure refuses them in the middle of an apply."
  }
}
