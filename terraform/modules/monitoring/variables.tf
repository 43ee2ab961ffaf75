variable "name" {
  description = "Name of the monitor workspace, and prefix of what belongs to it."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[A-Za-z0-9][A-Za-z0-9-]{2,17}[A-Za-z0-9]$", var.name))
    error_message = "name must be 4 to 19 of A-Z, a-z, 0-9 and '-', and begin and end with a letter or digit: Grafana's name is it and \"-gf\", and has 23 characters at most."
  }
}

variable "location" {
  description = "Azure region of everything here, such as `germanywestcentral`. Metrics of other regions may be sent here, too."
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

variable "action_group_ids" {
  description = "Ids of the action groups that are told of alerts, by severity: `critical` wakes somebody, `warning` waits for the morning. Without any, alerts are only seen in the portal."
  type = object({
    critical = optional(set(string), [])
    warning  = optional(set(string), [])
  })
  default  = {}
  nullable = false

  validation {
    condition     = alltrue([for id in setunion(var.action_group_ids.critical, var.action_group_ids.warning) : can(regex("(?i)^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/microsoft\\.insights/actionGroups/[^/]+$", id))])
    error_message = "action_group_ids must be ids of action groups: /subscriptions/.../resourceGroups/.../providers/Microsoft.Insights/actionGroups/NAME."
  }
  validation {
    condition     = length(var.action_group_ids.critical) <= 5 && length(var.action_group_ids.warning) <= 5
    error_message = "action_group_ids has more than 5 for a severity: Azure takes no more for an alert."
  }
}

variable "emails" {
  description = "E-mail addresses that are told of critical alerts, by a name of your choice, where you have no action group yet. They get one of their own."
  type        = map(string)
  default     = {}
  nullable    = false

  validation {
    condition     = alltrue([for email in values(var.emails) : can(regex("^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$", email))])
    error_message = "emails must be addresses, such as { oncall = \"oncall@example.com\" }."
  }
}

variable "disabled_alerts" {
  description = "Names of alerts that are not to fire, such as `KvstoreAccountLimited`."
  type        = set(string)
  default     = []
  nullable    = false

  validation {
    condition     = length(setsubtract(var.disabled_alerts, flatten([for group in yamldecode(coalesce(var.rules_yaml, file("${path.module}/../../../deploy/observability/kvstore.rules.yaml"))).groups : group.rules[*].alert]))) == 0
    error_message = "disabled_alerts names an alert that there is not: docs/operations/alerts.md lists them. A name with a mistake would leave the alert on."
  }
}

variable "rules_yaml" {
  description = "Alert rules in Prometheus' format. Default: those of this checkout, deploy/observability/kvstore.rules.yaml."
  type        = string
  default     = null

  validation {
    condition     = var.rules_yaml == null || can(yamldecode(coalesce(var.rules_yaml, "-")).groups[*].rules)
    error_message = "rules_yaml must be a file of Prometheus alert rules: groups: [{name: ..., rules: [...]}]."
  }
}

variable "runbook_url" {
  description = "Where people on call find docs/operations/alerts.md, such as `https://wiki.example.com/kvstore/alerts`. Alerts link to their section there. Default: they name the file."
  type        = string
  default     = null

  validation {
    condition     = var.runbook_url == null || can(regex("^https://[^#]+$", coalesce(var.runbook_url, "-")))
    error_message = "runbook_url must begin with https:// and have no #: the alert's name is put behind it."
  }
}

variable "publisher_principal_ids" {
  description = "Principal ids of the identities that send metrics, by a name of your choice, such as that of the region's Prometheus."
  type        = map(string)
  default     = {}
  nullable    = false

  validation {
    condition     = alltrue([for id in values(var.publisher_principal_ids) : can(regex("^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$", id))])
    error_message = "publisher_principal_ids must be principal ids (GUIDs in lower case), not client ids or resource ids: an identity's `principal_id`."
  }
}

variable "aks_cluster_ids" {
  description = "Ids of AKS clusters whose agents send metrics here, by a name of your choice. Their `monitor_metrics` has to be on, as `cluster-aks` has it."
  type        = map(string)
  default     = {}
  nullable    = false

  validation {
    condition     = alltrue([for id in values(var.aks_cluster_ids) : can(regex("(?i)^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft\\.ContainerService/managedClusters/[^/]+$", id))])
    error_message = "aks_cluster_ids must be ids of AKS clusters: /subscriptions/.../providers/Microsoft.ContainerService/managedClusters/NAME."
  }
}

variable "scrapes" {
  description = <<-EOT
    Clusters of virtual machines that a Prometheus in their region is to scrape, by the cluster's name. The output `prometheus_configs` has its configuration for each.
    - `region`: the cluster's region at the control plane.
    - `subscription_id`, `resource_group_name`: where its machines are. The Prometheus needs *Reader* there, to find them.
    - `machine_pattern`: regular expression of the machines' names. Default: as the scale set of `cluster-vmss` calls them, `vmss-CLUSTER_...`.
    - `ports`: HTTP ports of the data planes.
    - `server_name`: name that the machines' certificates are good for, such as `scrape.kv.example.com` for `*.kv.example.com`. Not set: they speak plain HTTP.
    - `control_planes`: HOST:PORT of the REST ports of control planes, if this Prometheus is to scrape them as well.
    - `client_id`: of the user-assigned identity that the Prometheus runs as; one of `publisher_principal_ids`.
  EOT
  type = map(object({
    region              = string
    subscription_id     = string
    resource_group_name = string
    machine_pattern     = optional(string)
    ports               = optional(set(number), [9085, 9086])
    server_name         = optional(string)
    control_planes      = optional(set(string), [])
    client_id           = string
  }))
  default  = {}
  nullable = false

  validation {
    condition     = alltrue(flatten([for scrape in var.scrapes : [for port in scrape.ports : port > 1024 && port < 65536]]))
    error_message = "ports of scrapes must be HTTP ports of data planes: the gRPC port and 1000, such as 9085."
  }
  validation {
    condition     = alltrue([for scrape in var.scrapes : alltrue([for id in [scrape.client_id, scrape.subscription_id] : can(regex("^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$", id))])])
    error_message = "client_id and subscription_id of scrapes must be GUIDs in lower case."
  }
}

variable "private_link" {
  description = <<-EOT
    Where metrics are to be sent and asked for within the virtual network alone: as `region` makes it, machines have no way to the internet. Not set: over public endpoints, with Entra ID.
    - `subnet_id`: subnet of the private endpoint, `subnet_ids["endpoints"]` of `region`.
    - `private_dns_zone_ids`: of the zones of Azure Monitor, privatelink.monitor.azure.com and others, if they are yours to set.
  EOT
  type = object({
    subnet_id            = string
    private_dns_zone_ids = optional(set(string), [])
  })
  default = null

  validation {
    condition     = var.private_link == null || can(regex("(?i)^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft\\.Network/virtualNetworks/[^/]+/subnets/[^/]+$", var.private_link.subnet_id))
    error_message = "private_link.subnet_id must be the id of a subnet: /subscriptions/.../virtualNetworks/VNET/subnets/NAME."
  }
}

variable "grafana" {
  description = <<-EOT
    Azure Managed Grafana over the workspace, or null for none.
    - `major_version`: of Grafana. A change is an upgrade in place.
    - `zone_redundancy_enabled`: whether it survives the loss of a zone. A change makes another one.
    - `public_network_access_enabled`: whether people reach it without a private endpoint. Everyone logs on with Entra ID in any case.
    - `admin_principal_ids`, `viewer_principal_ids`: people and groups, by a name of your choice.
  EOT
  type = object({
    major_version                 = optional(string, "12")
    zone_redundancy_enabled       = optional(bool, true)
    public_network_access_enabled = optional(bool, true)
    admin_principal_ids           = optional(map(string), {})
    viewer_principal_ids          = optional(map(string), {})
  })
  default = {}

  validation {
    condition     = var.grafana == null || contains(["11", "12"], try(var.grafana.major_version, ""))
    error_message = "grafana.major_version must be 11 or 12: azurerm 4.73 knows no other."
  }
}

variable "lock" {
  description = "A lock on the workspace: `kind` is `CanNotDelete` or `ReadOnly`."
  type        = object({ kind = string, name = optional(string, null) })
  default     = null

  validation {
    condition     = var.lock == null || contains(["CanNotDelete", "ReadOnly"], try(var.lock.kind, ""))
    error_message = "lock.kind must be CanNotDelete or ReadOnly."
  }
}

variable "role_assignments" {
  description = "Rights on the workspace, by a name of your choice."
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

variable "tags" {
  description = "Tags of everything here."
  type        = map(string)
  default     = {}
  nullable    = false
}
