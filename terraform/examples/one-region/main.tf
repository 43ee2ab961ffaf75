terraform {
  required_version = ">= 1.11, < 2.0"

  required_providers {
    azurerm = {
      source  = "hashicorp/azurerm"
      version = ">= 4.73.0, < 5.0.0"
    }
    kvstore = {
      source = "kvstore.dev/kvstore/kvstore"
    }
  }
}

provider "azurerm" {
  subscription_id = var.subscription_id
  features {}
}

# The control plane that is made here. Stages 1 and 2 ask it nothing.
provider "kvstore" {
  endpoint = coalesce(var.control_plane_url, "https://control.${local.domain}:8080")
  token    = var.admin_token
  ca_file  = var.ca_file
}

data "azurerm_client_config" "this" {}

locals {
  # Certificates must be in the key vault before machines start, and the control plane must run before anything is registered with it.
  with_control_plane = var.stage >= 2
  with_cluster       = var.stage >= 3

  domain  = "${var.region}.${var.domain}"
  cluster = "${var.region}-a"

  # The one before stays good: machines read the new one within minutes.
  join_tokens = [for version in range(max(1, var.join_token_version - 1), var.join_token_version + 1) : tostring(version)]
}

module "region" {
  source = "../../modules/region"

  name              = var.region
  location          = var.location
  address_space     = var.address_space
  data_plane_domain = local.domain

  admin_address_prefixes = var.admin_address_prefixes
  bastion                = var.bastion ? {} : null
  tags                   = var.tags
}

module "control_plane" {
  source = "../../modules/control-plane"

  name                = var.control_plane_name
  location            = module.region.location
  resource_group_name = module.region.resource_group_name
  entra_tenant_id     = data.azurerm_client_config.this.tenant_id
  host                = "control.${local.domain}"
  subnet_ids          = module.region.subnet_ids
  private_dns_zone_ids = {
    postgres = module.region.private_dns_zone_ids["postgres"]
    vault    = module.region.private_dns_zone_ids["vault"]
    host     = module.region.private_dns_zone_ids["data_planes"]
  }
  secrets = { database_password = var.database_password, admin_token = var.admin_token }
  key_vault = {
    allowed_ips                 = var.admin_ips
    administrator_principal_ids = coalesce(var.vault_administrator_ids, { applier = data.azurerm_client_config.this.object_id })
    role_wait_seconds           = var.role_wait_seconds
  }
  machines = local.with_control_plane ? { source_image_id = var.image_id, ssh_public_key = var.ssh_public_key } : null
  metrics  = { remote_write_url = module.monitoring.remote_write_url }
  logs     = var.logs ? module.monitoring.logs[var.region] : null
  lock     = var.lock ? { kind = "CanNotDelete" } : null
  tags     = var.tags
}

module "cluster" {
  source = "../../modules/cluster-vmss"
  count  = local.with_cluster ? 1 : 0

  name                    = local.cluster
  location                = module.region.location
  resource_group_name     = module.region.resource_group_name
  subnet_id               = module.region.subnet_ids["data"]
  private_dns_zone_id     = module.region.private_dns_zone_ids["data_planes"]
  source_image_id         = var.image_id
  admin_ssh_public_key    = var.ssh_public_key
  control_plane_endpoint  = "control.${local.domain}:9090"
  kvstore_region          = var.region
  key_vault_id            = module.control_plane.key_vault_id
  certificate_authorities = var.ca_file == null ? null : file(var.ca_file)
  instances               = var.instances
  metrics                 = { remote_write_url = module.monitoring.remote_write_url }
  logs                    = var.logs ? module.monitoring.logs[var.region] : null
  private_link = var.private_link ? {
    subnet_id                      = module.region.subnet_ids["link"]
    subnet_address_prefix          = module.region.subnet_address_prefixes["link"]
    auto_approval_subscription_ids = var.customer_subscription_ids
  } : null
  tags = var.tags
}

module "registration" {
  source = "../../modules/registration"
  count  = local.with_cluster ? 1 : 0

  region = { name = var.region, display_name = var.location }
  clusters = {
    (local.cluster) = {
      addresses = ["*.${local.domain}:8085-8086"]
      # Clients behind Private Link reach the balancer alone, so all are sent there.
      advertised_address = var.private_link ? "${local.cluster}.${local.domain}" : null
      # With a secret of ours, so that no state has it.
      join_tokens = { for name in local.join_tokens : name => { secret_version = 1 } }
    }
  }
  join_token_secrets = { for name in local.join_tokens : "${local.cluster}/${name}" => var.join_token_secret }

  tenants  = var.tenants
  accounts = var.accounts
  grants   = var.grants
  keys     = var.keys

  depends_on = [module.control_plane]
}

# Machines read it from the key vault, and follow it.
resource "azurerm_key_vault_secret" "join_token" {
  count = local.with_cluster ? 1 : 0

  name             = "join-token"
  key_vault_id     = module.control_plane.key_vault_id
  value_wo         = "kvj_${module.registration[0].join_token_ids["${local.cluster}/${var.join_token_version}"]}_${var.join_token_secret}"
  value_wo_version = var.join_token_version
}

module "monitoring" {
  source = "../../modules/monitoring"

  name                = "kv-${var.region}"
  location            = module.region.location
  resource_group_name = module.region.resource_group_name
  emails              = var.alert_emails
  tags                = var.tags

  publisher_principal_ids = merge(
    { control-plane = module.control_plane.identity_principal_id },
    local.with_cluster ? { (local.cluster) = module.cluster[0].identity_principal_id } : {}
  )
  # Machines have no way to public addresses, and Grafana no other.
  private_link = {
    (var.region) = {
      location             = module.region.location
      resource_group_name  = module.region.resource_group_name
      subnet_id            = module.region.subnet_ids["endpoints"]
      private_dns_zone_ids = module.region.monitor_private_dns_zone_ids
    }
  }
  public_queries_enabled = true
  logs                   = var.logs ? { log_analytics_workspace_id = module.region.log_analytics_workspace_id } : null
}
