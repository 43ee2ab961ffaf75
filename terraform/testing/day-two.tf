# A region with a control plane and a cluster, and on request a second region: what DayTwoIT changes.
terraform {
  required_providers {
    azurerm = {
      source  = "hashicorp/azurerm"
      version = ">= 4.73.0, < 5.0.0"
    }
  }
}

provider "azurerm" {
  features {}
}

variable "instances" {
  type    = number
  default = 4
}

variable "image" {
  type    = string
  default = "1.0.0"
}

variable "zones" {
  type    = set(string)
  default = ["1", "2"]
}

variable "database_password" {
  type      = string
  default   = "a-password-of-the-database"
  ephemeral = true
}

variable "secrets_version" {
  type    = number
  default = 1
}

variable "administrator_login" {
  type    = string
  default = "kvstore"
}

variable "geo_redundant_backup" {
  type    = bool
  default = null
}

variable "storage_mb" {
  type    = number
  default = 131072
}

variable "database_version" {
  type    = string
  default = "17"
}

variable "max_lookups" {
  type    = number
  default = 1000
}

variable "authorities" {
  type    = string
  default = null
}

variable "metrics" {
  type    = bool
  default = false
}

variable "logs" {
  type    = bool
  default = false
}

variable "second_region" {
  type    = bool
  default = false
}

locals {
  metrics = var.metrics ? { remote_write_url = module.monitoring.remote_write_url } : null

  image   = "/subscriptions/0/resourceGroups/images/providers/Microsoft.Compute/galleries/kv/images/node/versions/${var.image}"
  ssh_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIyZJ5lz3oJ0v1v1v1v1v1v1v1v1v1v1v1v1v1v1v1v1"
}

module "region" {
  source = "../../modules/region"

  name              = "eu-1"
  location          = "germanywestcentral"
  address_space     = "10.1.0.0/16"
  data_plane_domain = "kv.example.com"
}

module "control_plane" {
  source = "../../modules/control-plane"

  name                 = "kv-control"
  location             = module.region.location
  resource_group_name  = module.region.resource_group_name
  entra_tenant_id      = "11111111-2222-3333-4444-555555555555"
  host                 = "control.kv.example.com"
  host_record_enabled  = false
  subnet_ids           = module.region.subnet_ids
  private_dns_zone_ids = { postgres = module.region.private_dns_zone_ids["postgres"], vault = module.region.private_dns_zone_ids["vault"] }
  secrets              = { database_password = var.database_password }
  secrets_version      = var.secrets_version
  database = {
    version                      = var.database_version
    storage_mb                   = var.storage_mb
    geo_redundant_backup_enabled = var.geo_redundant_backup
    administrator_login          = var.administrator_login
  }
  machines = { source_image_id = "/subscriptions/0/resourceGroups/images/providers/Microsoft.Compute/images/control", ssh_public_key = local.ssh_key }
  metrics  = local.metrics
  logs     = var.logs ? module.monitoring.logs.public : null
}

module "cluster" {
  source = "../../modules/cluster-vmss"

  name                   = "eu-1-a"
  location               = module.region.location
  resource_group_name    = module.region.resource_group_name
  subnet_id              = module.region.subnet_ids["data"]
  private_dns_zone_id    = module.region.private_dns_zone_ids["data_planes"]
  source_image_id        = local.image
  admin_ssh_public_key   = local.ssh_key
  control_plane_endpoint = module.control_plane.grpc_endpoint
  kvstore_region         = "eu-1"
  kvstore_cluster        = "eu-1-a"
  key_vault_id           = module.control_plane.key_vault_id
  instances              = var.instances
  zones                  = var.zones
  settings               = { KVSTORE_MAX_LOOKUPS = tostring(var.max_lookups) }

  certificate_authorities = var.authorities

  metrics = local.metrics
  logs    = var.logs ? module.monitoring.logs.public : null
}

module "monitoring" {
  source = "../../modules/monitoring"

  name                = "kvstore"
  location            = module.region.location
  resource_group_name = module.region.resource_group_name
  emails              = { oncall = "oncall@example.com" }
  logs                = var.logs ? { log_analytics_workspace_id = module.region.log_analytics_workspace_id } : null

  publisher_principal_ids = var.metrics ? {
    control-plane = module.control_plane.identity_principal_id
    eu-1-a        = module.cluster.identity_principal_id
  } : {}
}

module "second" {
  source = "../../modules/region"
  count  = var.second_region ? 1 : 0

  name              = "us-1"
  location          = "eastus2"
  address_space     = "10.2.0.0/16"
  data_plane_domain = "us.kv.example.com"
}

module "second_cluster" {
  source = "../../modules/cluster-vmss"
  count  = var.second_region ? 1 : 0

  name                   = "us-1-a"
  location               = module.second[0].location
  resource_group_name    = module.second[0].resource_group_name
  subnet_id              = module.second[0].subnet_ids["data"]
  private_dns_zone_id    = module.second[0].private_dns_zone_ids["data_planes"]
  source_image_id        = local.image
  admin_ssh_public_key   = local.ssh_key
  control_plane_endpoint = module.control_plane.grpc_endpoint
  kvstore_region         = "us-1"
  kvstore_cluster        = "us-1-a"
  key_vault_id           = module.control_plane.key_vault_id
}
