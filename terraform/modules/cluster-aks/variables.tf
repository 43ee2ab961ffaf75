variable "name" {
  description = "Name of the AKS cluster, and prefix of what belongs to it."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[A-Za-z0-9]([A-Za-z0-9-]{0,43}[A-Za-z0-9])?$", var.name))
    error_message = "name must be 1 to 45 of A-Z, a-z, 0-9 and '-', and begin and end with a letter or digit: its DNS name is made of it."
  }
}

variable "location" {
  description = "Azure region, such as `germanywestcentral`."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][a-z0-9]+$", var.location))
    error_message = "location must be written as Azure's API does, such as germanywestcentral, not \"Germany West Central\": azurerm rewrites the other form, and two ways to write one location plan changes of nothing."
  }
}

variable "resource_group_name" {
  description = "Name of the resource group, such as `region`'s output of that name."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[A-Za-z0-9_().-]{0,89}[A-Za-z0-9_()-]$", var.resource_group_name))
    error_message = "resource_group_name must be the name of a resource group, not its id: 1 to 90 letters, digits, _, (, ), . and -."
  }
}

variable "subnet_id" {
  description = "Subnet of the nodes; one of its own. The subnet `data` of `region` is not for it: its security group knows data planes' ports, and Kubernetes needs more."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("(?i)^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft\\.Network/virtualNetworks/[^/]+/subnets/[^/]+$", var.subnet_id))
    error_message = "subnet_id must be the id of a subnet: /subscriptions/.../virtualNetworks/VNET/subnets/NAME."
  }
}

variable "pod_subnet" {
  description = "Subnet of the pods, `{ id = ... }`, delegated to Microsoft.ContainerService/managedClusters. With it, clients of peered networks reach data planes directly. Not set: pods have addresses that only the cluster knows, and clients outside of it need a balancer."
  type        = object({ id = string })
  default     = null

  validation {
    condition     = var.pod_subnet == null || can(regex("(?i)/virtualNetworks/[^/]+/subnets/[^/]+$", try(var.pod_subnet.id, "-")))
    error_message = "pod_subnet.id must be the id of a subnet: /subscriptions/.../virtualNetworks/VNET/subnets/NAME."
  }
}

variable "domain" {
  description = "Domain of the data planes' names, `POD.DOMAIN`, such as `eu-1-a.kv.example.com`: another one for each cluster, in a zone that clients and other regions resolve. `external_dns` or you make the records. Not set: names within this AKS cluster alone, which is enough where control plane and clients are in it."
  type        = string
  default     = null

  validation {
    condition     = var.domain == null || can(regex("^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,63}$", var.domain))
    error_message = "domain must be a domain in small letters, such as eu-1-a.kv.example.com, without a point at its end."
  }
  validation {
    condition     = var.domain == null || var.pod_subnet != null
    error_message = "domain needs pod_subnet: without it pods have addresses that only this AKS cluster knows, and names for others lead nowhere."
  }
  validation {
    condition     = var.domain != null || try(var.control_plane.grpc_endpoint, null) == null
    error_message = "domain must be set where the control plane is elsewhere: names of this AKS cluster cannot be looked up outside of it, and a second cluster would have the same."
  }
}

variable "external_dns" {
  description = <<-EOT
    An identity with which external-dns makes the data planes' records: `private_dns_zone_id` is the zone of `domain`, as `private_dns_zone_ids["data_planes"]` of `region`. The
    output `external_dns_values` has the values for its chart, to be installed in `namespace`. Default: none.
  EOT
  type = object({
    private_dns_zone_id = string
    namespace           = optional(string, "external-dns")
    service_account     = optional(string, "external-dns")
  })
  default = null

  validation {
    condition     = var.external_dns == null || can(regex("(?i)^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft.Network/privateDnsZones/[^/]+$", var.external_dns.private_dns_zone_id))
    error_message = "external_dns.private_dns_zone_id must be the id of a private DNS zone, /subscriptions/.../privateDnsZones/NAME."
  }
  validation {
    condition     = var.external_dns == null || var.domain != null
    error_message = "external_dns needs domain: the names that it makes."
  }
}

variable "region" {
  description = "Name of the region at the control plane, such as `eu-1`."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$", var.region))
    error_message = "region must be 1 to 63 of a-z, 0-9 and '-', and begin and end with a letter or digit."
  }
}

variable "cluster" {
  description = "Name of the cluster of data planes at the control plane, such as `eu-1-a`."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$", var.cluster))
    error_message = "cluster must be 1 to 63 of a-z, 0-9 and '-', and begin and end with a letter or digit."
  }
}

variable "data_planes" {
  description = <<-EOT
    Nodes of data planes, one data plane on each unless `per_node` says more.
    - `vm_size`: of a node. `cpu` whole CPUs and `memory_gib` of a data plane have to fit in it, less what AKS keeps: about 4 CPUs and a tenth of the memory.
    - `per_node`: data planes on a node, one for each of its NUMA nodes.
    - `node_count`: nodes. To scale, change it and apply the chart again.
    - `disk_gib`: volume of each for its disk tier; 0 for none. `storage_class`: of the volume.
  EOT
  type = object({
    vm_size       = optional(string, "Standard_E32ds_v5")
    node_count    = optional(number, 3)
    per_node      = optional(number, 1)
    cpu           = optional(number, 28)
    memory_gib    = optional(number, 208)
    disk_gib      = optional(number, 512)
    storage_class = optional(string, "managed-csi-premium")
    zones         = optional(set(string), ["1", "2", "3"])
    os_disk_type  = optional(string, "Managed")
  })
  default  = {}
  nullable = false

  validation {
    condition     = var.data_planes.node_count >= 1 && var.data_planes.node_count <= 1000 && floor(var.data_planes.node_count) == var.data_planes.node_count
    error_message = "data_planes.node_count must be 1 to 1000."
  }
  validation {
    condition     = var.data_planes.per_node >= 1 && var.data_planes.per_node <= 8 && floor(var.data_planes.per_node) == var.data_planes.per_node
    error_message = "data_planes.per_node must be 1 to 8: one for each NUMA node."
  }
  validation {
    condition     = var.data_planes.cpu >= 1 && floor(var.data_planes.cpu) == var.data_planes.cpu
    error_message = "data_planes.cpu must be whole: the kubelet gives cores of their own to whole numbers alone."
  }
  validation {
    condition     = var.data_planes.memory_gib >= 6
    error_message = "data_planes.memory_gib must be 6 or more: heap, transfers and the rest take 4 GiB before a block is kept."
  }
  validation {
    condition     = var.data_planes.disk_gib == 0 || var.data_planes.disk_gib >= 16
    error_message = "data_planes.disk_gib must be 0, for none, or 16 and more."
  }
  validation {
    condition     = contains(["Managed", "Ephemeral"], var.data_planes.os_disk_type)
    error_message = "data_planes.os_disk_type must be Managed, or Ephemeral for sizes with a local disk that is not NVMe."
  }
}

variable "system_nodes" {
  description = "Nodes of Kubernetes' own programs, and of control planes where the chart brings them."
  type = object({
    vm_size    = optional(string, "Standard_D4ds_v5")
    node_count = optional(number, 3)
    zones      = optional(set(string), ["1", "2", "3"])
  })
  default  = {}
  nullable = false

  validation {
    condition     = var.system_nodes.node_count >= 2
    error_message = "system_nodes.node_count must be 2 or more: with one, the cluster has no DNS while it is replaced."
  }
}

variable "control_plane" {
  description = <<-EOT
    The control plane.
    - `grpc_endpoint`: HOST:PORT of one elsewhere, as of the module `control-plane`. Or, for one in this cluster:
    - `database`: `jdbc_url` and `identity_id` of the module `control-plane` without machines.
  EOT
  type = object({
    grpc_endpoint = optional(string)
    database      = optional(object({ jdbc_url = string, identity_id = string }))
  })
  nullable = false

  validation {
    condition     = (var.control_plane.grpc_endpoint == null) != (var.control_plane.database == null)
    error_message = "control_plane has grpc_endpoint, of one elsewhere, or database, for one in this cluster: one of them."
  }
  validation {
    condition     = var.control_plane.grpc_endpoint == null || can(regex("^[a-z0-9.-]+:[0-9]+$", coalesce(var.control_plane.grpc_endpoint, "-")))
    error_message = "control_plane.grpc_endpoint must be HOST:PORT without https://, such as control.kv.example.com:9090."
  }
  validation {
    condition     = var.control_plane.database == null || can(regex("^jdbc:postgresql://[^@]+[?]sslmode=verify-full", try(var.control_plane.database.jdbc_url, "-")))
    error_message = "control_plane.database.jdbc_url must be jdbc:postgresql://HOST/NAME?sslmode=verify-full, and have no user or password: these are a secret of Kubernetes."
  }
  validation {
    condition     = var.control_plane.database == null || can(regex("(?i)/providers/Microsoft\\.ManagedIdentity/userAssignedIdentities/[^/]+$", try(var.control_plane.database.identity_id, "-")))
    error_message = "control_plane.database.identity_id must be the id of a user-assigned identity."
  }
}

variable "release" {
  description = "Name of Helm's release and its namespace: service accounts are called after them, and Azure believes no other."
  type = object({
    name      = optional(string, "kv")
    namespace = optional(string, "kv")
  })
  default  = {}
  nullable = false

  validation {
    condition     = can(regex("^[a-z]([a-z0-9-]{0,28}[a-z0-9])?$", var.release.name)) && can(regex("^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$", var.release.namespace))
    error_message = "release.name and release.namespace must be of a-z, 0-9 and '-'; the release at most 30 long."
  }
}

variable "images" {
  description = "Where the images of `kv image --push` are: `repository`, and `tag`."
  type = object({
    repository = string
    tag        = string
  })
  nullable = false

  validation {
    condition     = !contains(["", "latest"], var.images.tag)
    error_message = "images.tag must name a version: with latest, nodes run different programs."
  }
}

variable "container_registry" {
  description = "Azure registry that nodes may pull from, `{ id = ... }`."
  type        = object({ id = string })
  default     = null

  validation {
    condition     = var.container_registry == null || can(regex("(?i)/providers/Microsoft\\.ContainerRegistry/registries/[^/]+$", try(var.container_registry.id, "-")))
    error_message = "container_registry.id must be the id of a container registry."
  }
}

variable "kubernetes_version" {
  description = "Version of Kubernetes, such as `1.33`. Not set: Azure's default, and patches by themselves."
  type        = string
  default     = null

  validation {
    condition     = var.kubernetes_version == null || can(regex("^1\\.(3[0-9]|[4-9][0-9])(\\.[0-9]+)?$", coalesce(var.kubernetes_version, "-")))
    error_message = "kubernetes_version must be 1.30 or newer, which the chart needs."
  }
}

variable "private_cluster_enabled" {
  description = "Whether the API server has an address in the network alone. It can be chosen only at first."
  type        = bool
  default     = true
  nullable    = false

  validation {
    condition     = var.private_cluster_enabled || length(var.api_server_authorized_ip_ranges) > 0
    error_message = "A public API server needs api_server_authorized_ip_ranges: who may reach it."
  }
}

variable "api_server_authorized_ip_ranges" {
  description = "Networks from which a public API server may be reached."
  type        = set(string)
  default     = []
  nullable    = false

  validation {
    condition     = alltrue([for range in var.api_server_authorized_ip_ranges : can(cidrhost(range, 0)) && range != "0.0.0.0/0"])
    error_message = "api_server_authorized_ip_ranges must be networks such as 203.0.113.0/28, and not the whole internet."
  }
}

variable "admin_group_object_ids" {
  description = "Object ids of the Entra groups that administer the cluster. Local accounts are off: without a group, grant *Azure Kubernetes Service RBAC Cluster Admin* by `role_assignments`."
  type        = set(string)
  default     = []
  nullable    = false

  validation {
    condition     = length(var.admin_group_object_ids) > 0 || anytrue([for assignment in var.role_assignments : strcontains(assignment.role_definition_id_or_name, "RBAC")])
    error_message = "Nobody could administer the cluster: name admin_group_object_ids, or give \"Azure Kubernetes Service RBAC Cluster Admin\" in role_assignments."
  }
}

variable "outbound_type" {
  description = "How nodes reach the internet, for images and Entra ID: `loadBalancer`, `userDefinedRouting` by a firewall of yours, `userAssignedNATGateway` of the subnet, or `none`."
  type        = string
  default     = "loadBalancer"
  nullable    = false

  validation {
    condition     = contains(["loadBalancer", "userDefinedRouting", "userAssignedNATGateway", "none"], var.outbound_type)
    error_message = "outbound_type must be loadBalancer, userDefinedRouting, userAssignedNATGateway or none."
  }
}

variable "service_cidr" {
  description = "Addresses of Kubernetes' services: of no network that is peered."
  type        = string
  default     = "172.29.0.0/16"
  nullable    = false

  validation {
    condition     = can(cidrhost(var.service_cidr, 10))
    error_message = "service_cidr must be a network such as 172.29.0.0/16."
  }
}

variable "role_assignments" {
  description = "Rights on the AKS cluster, by a name of your choice."
  type = map(object({
    role_definition_id_or_name             = string
    principal_id                           = string
    description                            = optional(string)
    skip_service_principal_aad_check       = optional(bool, false)
    condition                              = optional(string)
    condition_version                      = optional(string)
    delegated_managed_identity_resource_id = optional(string)
    principal_type                         = optional(string)
  }))
  default  = {}
  nullable = false

  validation {
    condition     = alltrue([for assignment in var.role_assignments : assignment.condition == null || assignment.condition_version == "2.0"])
    error_message = "role_assignments: a condition needs condition_version = \"2.0\", the only version that Azure takes."
  }
}

variable "logs" {
  description = "Where pods' logs go, as table ContainerLogV2: `log_analytics_workspace_id`, the one of `monitoring`, whose `aks_cluster_ids` has this cluster. Null for nowhere. Azure charges each GB that comes in."
  type        = object({ log_analytics_workspace_id = string })
  default     = null

  validation {
    condition     = var.logs == null || can(regex("(?i)^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft\\.OperationalInsights/workspaces/[^/]+$", var.logs.log_analytics_workspace_id))
    error_message = "logs.log_analytics_workspace_id must be the id of a Log Analytics workspace: /subscriptions/.../workspaces/NAME."
  }
}

variable "diagnostic_settings" {
  description = "Where logs and metrics of Kubernetes go, by a name of your choice. `log_groups = [\"audit\"]` is who did what alone, and much less."
  type = map(object({
    name                                     = optional(string)
    log_categories                           = optional(set(string), [])
    log_groups                               = optional(set(string), ["allLogs"])
    metric_categories                        = optional(set(string), ["AllMetrics"])
    log_analytics_destination_type           = optional(string, "Dedicated")
    workspace_resource_id                    = optional(string)
    storage_account_resource_id              = optional(string)
    event_hub_authorization_rule_resource_id = optional(string)
    event_hub_name                           = optional(string)
    marketplace_partner_resource_id          = optional(string)
  }))
  default  = {}
  nullable = false

  validation {
    condition = alltrue([for setting in var.diagnostic_settings : anytrue([
      setting.workspace_resource_id != null, setting.storage_account_resource_id != null,
      setting.event_hub_authorization_rule_resource_id != null, setting.marketplace_partner_resource_id != null
    ])])
    error_message = "Each of diagnostic_settings needs a place: workspace_resource_id, storage_account_resource_id, event_hub_authorization_rule_resource_id or marketplace_partner_resource_id."
  }
}

variable "lock" {
  description = "A lock on the AKS cluster: `kind` is `CanNotDelete` or `ReadOnly`."
  type        = object({ kind = string, name = optional(string, null) })
  default     = null

  validation {
    condition     = var.lock == null || contains(["CanNotDelete", "ReadOnly"], try(var.lock.kind, ""))
    error_message = "lock.kind must be CanNotDelete or ReadOnly."
  }
}

variable "tags" {
  description = "Tags of everything here that can have some."
  type        = map(string)
  default     = {}
  nullable    = false
}
