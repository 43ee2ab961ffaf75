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
  description = "Principal ids of the identities that send metrics, by a name of your choice: `identity_principal_id` of `cluster-vmss` and `control-plane`."
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

variable "database_replica_ids" {
  description = "Replicas of the control plane's database by the name of their region: `resource_id` of a `control-plane` whose `database.replica` is not promoted. More than 5 minutes behind is an alert."
  type        = map(string)
  default     = {}
  nullable    = false

  validation {
    condition     = alltrue([for id in values(var.database_replica_ids) : can(regex("(?i)^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft\\.DBforPostgreSQL/flexibleServers/[^/]+$", id))])
    error_message = "database_replica_ids must be ids of PostgreSQL flexible servers: resource_id of the module control-plane."
  }
}

variable "private_link" {
  description = <<-EOT
    Networks that send by private endpoints alone, by the name of their region: as `region` makes them, machines have no way to public addresses. Nobody else can send then. Default: all send over public addresses, with
    Entra ID.
    - `location`, `resource_group_name`: of the region.
    - `subnet_id`: subnet of the private endpoint, `subnet_ids["endpoints"]` of `region`.
    - `private_dns_zone_ids`: zones in which the endpoint has its names, `monitor_private_dns_zone_ids` of `region`; empty if they are not yours to set.
  EOT
  type = map(object({
    location             = string
    resource_group_name  = string
    subnet_id            = string
    private_dns_zone_ids = optional(set(string), [])
  }))
  default  = {}
  nullable = false

  validation {
    condition     = alltrue([for name in keys(var.private_link) : can(regex("^[a-z][a-z0-9-]{0,18}[a-z0-9]$", name)) && name != "public"])
    error_message = "private_link: names must be 2 to 20 of a-z, 0-9 and -, begin with a letter and not end with -, and not be \"public\": names of endpoints end with them."
  }
  validation {
    condition     = alltrue([for network in var.private_link : can(regex("(?i)^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft\\.Network/virtualNetworks/[^/]+/subnets/[^/]+$", network.subnet_id))])
    error_message = "private_link: subnet_id must be the id of a subnet: /subscriptions/.../virtualNetworks/VNET/subnets/NAME."
  }
  validation {
    condition     = length(var.private_link) <= 10
    error_message = "private_link has more than 10 networks: Azure gives a scope of private links no more endpoints. Send from the others by a second module."
  }
}

variable "public_queries_enabled" {
  description = "Whether metrics may be asked for over public addresses, with Entra ID, where `private_link` is set: Azure Managed Grafana does."
  type        = bool
  default     = false
  nullable    = false
}

variable "logs" {
  description = <<-EOT
    Logs of machines and pods, kept in a Log Analytics workspace; null for none. Azure charges each GB that comes in; with the usual log levels a machine writes some MB a day.
    - `log_analytics_workspace_id`: `log_analytics_workspace_id` of `region`, which says how long logs are kept. It must be in `location`.
  EOT
  type        = object({ log_analytics_workspace_id = string })
  default     = null

  validation {
    condition     = var.logs == null || can(regex("(?i)^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft\\.OperationalInsights/workspaces/[^/]+$", var.logs.log_analytics_workspace_id))
    error_message = "logs.log_analytics_workspace_id must be the id of a Log Analytics workspace: /subscriptions/.../workspaces/NAME."
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
