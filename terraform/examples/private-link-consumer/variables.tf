variable "subscription_id" {
  description = "Subscription of the customer."
  type        = string
}

variable "name" {
  description = "Name of the customer."
  type        = string
}

variable "location" {
  description = "Azure's name of the location of the customer's network. The cluster may be in another one."
  type        = string
}

variable "resource_group_name" {
  description = "Resource group of the private endpoints."
  type        = string
}

variable "virtual_network_id" {
  description = "Network of the clients."
  type        = string
}

variable "subnet_id" {
  description = "Subnet of the private endpoints."
  type        = string
}

variable "services" {
  description = "What to reach, by a name of yours: the Private Link alias and the host name of the control plane and of each cluster, as their owner says."
  type        = map(object({ alias = string, host = string }))
}
