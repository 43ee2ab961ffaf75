variable "name" {
  description = "Name of the region, here and at the control plane."
  type        = string
  default     = "eu-2"
}

variable "location" {
  description = "Azure region."
  type        = string
  default     = "westeurope"
}

variable "domain" {
  description = "Domain below which the region's names are, as `eu-2.kv.internal`."
  type        = string
  default     = "kv.internal"
}

variable "address_space" {
  description = "Addresses of the virtual network: of no network that is peered."
  type        = string
  default     = "10.2.0.0/16"
}

variable "control_plane" {
  description = "HOST:PORT of the control plane's gRPC, which the nodes have to reach."
  type        = string
}

variable "images" {
  description = "Where the images of `kv image --push` are."
  type        = object({ repository = string, tag = string })
}

variable "admin_group_object_ids" {
  description = "Entra groups that administer the AKS cluster."
  type        = set(string)
}

variable "node_count" {
  description = "Nodes, with a data plane each."
  type        = number
  default     = 3
}

variable "logs" {
  description = "Whether logs of pods go to Log Analytics. Azure charges each GB."
  type        = bool
  default     = false
}

variable "round_trips" {
  description = "Microseconds to regions that are registered already."
  type        = map(number)
  default     = {}
}

variable "emails" {
  description = "Who is told of critical alerts."
  type        = map(string)
  default     = {}
}

variable "container_registry_id" {
  description = "Id of the Azure registry that has the images, for the right to pull from it."
  type        = string
  default     = null
}
