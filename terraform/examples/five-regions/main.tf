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
  endpoint = coalesce(var.control_plane_url, "https://${local.control_plane_host}:8080")
  token    = var.admin_token
  ca_file  = var.ca_file
}

data "azurerm_client_config" "this" {}

locals {
  # Certificates must be in the key vault before machines start, and the control plane must run before anything is registered with it.
  with_control_plane = var.stage >= 2
  clusters           = { for name, region in var.regions : name => region if var.stage >= 3 }

  domains = { for name in keys(var.regions) : name => "${name}.${var.domain}" }
  # Where the database, the key vault and the machines of the control plane are.
  home = module.region[var.control_plane_region]
  # All data planes and clients know it by this name, also when it has moved to another region.
  name_region = coalesce(var.control_plane_name_region, var.control_plane_region)
  # The regions of database and replica, each with the other.
  replicating = { for name in var.replicating_regions : name => one(setsubtract(var.replicating_regions, [name])) }

  control_plane_host = "control.${local.domains[local.name_region]}"

  image_id = var.image_id != null ? var.image_id : var.image_version == null ? null : "${module.machine_image.resource_id}/versions/${var.image_version}"
}

module "region" {
  source   = "../../modules/region"
  for_each = var.regions

  name                   = each.key
  location               = each.value.location
  address_space          = each.value.address_space
  data_plane_domain      = local.domains[each.key]
  admin_address_prefixes = var.admin_address_prefixes
  bastion                = contains(var.bastion_regions, each.key) ? {} : null
  # A replica and its source speak with each other: from one subnet "postgres" to the other.
  database_address_prefixes = contains(keys(local.replicating), each.key) ? [cidrsubnet(var.regions[local.replicating[each.key]].address_space, 8, 18)] : []
  tags                      = var.tags
}

# Data planes of one region fetch blocks from the others, all ask the one control plane, and clients move between regions.
module "peering" {
  source = "../../modules/peering"

  regions = {
    for name, region in module.region : name => {
      virtual_network_id  = region.virtual_network_id
      address_space       = region.address_space
      private_dns_zone_id = region.private_dns_zone_ids["data_planes"]
    }
  }
  tags = var.tags
}

# All machines are of one image. Packer builds it after stage 1 and copies it to each location.
module "machine_image" {
  source = "../../modules/machine-image"

  gallery_name        = "kv"
  location            = module.region[local.name_region].location
  resource_group_name = module.region[local.name_region].resource_group_name
  machine_locations   = toset([for region in var.regions : region.location])
  tags                = var.tags
}

module "control_plane" {
  source = "../../modules/control-plane"

  name                = var.control_plane_name
  location            = local.home.location
  resource_group_name = local.home.resource_group_name
  entra_tenant_id     = data.azurerm_client_config.this.tenant_id
  host                = local.control_plane_host
  subnet_ids          = local.home.subnet_ids
  private_dns_zone_ids = {
    postgres = local.home.private_dns_zone_ids["postgres"]
    vault    = local.home.private_dns_zone_ids["vault"]
    host     = module.region[local.name_region].private_dns_zone_ids["data_planes"]
  }
  secrets = { database_password = var.database_password, admin_token = var.admin_token }
  key_vault = {
    allowed_ips                 = var.admin_ips
    administrator_principal_ids = coalesce(var.vault_administrator_ids, { applier = data.azurerm_client_config.this.object_id })
    role_wait_seconds           = var.role_wait_seconds
  }
  machines        = local.with_control_plane ? { source_image_id = local.image_id, ssh_public_key = var.ssh_public_key } : null
  database_name   = var.database_name
  secrets_version = var.secrets_version
  database        = var.database
  metrics         = { remote_write_url = module.monitoring.remote_write_url }
  logs            = var.logs ? module.monitoring.logs[var.control_plane_region] : null
  lock            = var.lock ? { kind = "CanNotDelete" } : null
  tags            = var.tags
}

# Ready to take over: with the data and the secrets, and without machines.
module "standby" {
  source = "../../modules/control-plane"
  count  = var.standby == null ? 0 : 1

  name                 = var.standby.name
  location             = module.region[var.standby.region].location
  resource_group_name  = module.region[var.standby.region].resource_group_name
  entra_tenant_id      = data.azurerm_client_config.this.tenant_id
  host                 = local.control_plane_host
  subnet_ids           = module.region[var.standby.region].subnet_ids
  private_dns_zone_ids = { for name in ["postgres", "vault"] : name => module.region[var.standby.region].private_dns_zone_ids[name] }
  host_record_enabled  = false
  secrets              = { database_password = var.database_password, admin_token = var.admin_token }
  key_vault = {
    allowed_ips                 = var.admin_ips
    administrator_principal_ids = coalesce(var.vault_administrator_ids, { applier = data.azurerm_client_config.this.object_id })
    role_wait_seconds           = var.role_wait_seconds
  }
  secrets_version = var.secrets_version
  # As large as its source. What is of a backup is the source's alone.
  database = merge(var.database, { replica = { source_server_id = module.control_plane.resource_id }, restore = null, geo_redundant_backup_enabled = null })
  lock     = var.lock ? { kind = "CanNotDelete" } : null
  tags     = var.tags

  # Names of the source and of the replica lead to each other before they speak.
  depends_on = [azurerm_private_dns_zone_virtual_network_link.replication, module.peering]
}

resource "azurerm_private_dns_zone_virtual_network_link" "replication" {
  for_each = local.replicating

  name                  = "link-${each.key}-postgres-${each.value}"
  resource_group_name   = module.region[each.key].resource_group_name
  private_dns_zone_name = reverse(split("/", module.region[each.key].private_dns_zone_ids["postgres"]))[0]
  virtual_network_id    = module.region[each.value].virtual_network_id
  tags                  = var.tags
}

module "cluster" {
  source   = "../../modules/cluster-vmss"
  for_each = local.clusters

  name                    = "${each.key}-a"
  location                = each.value.location
  resource_group_name     = module.region[each.key].resource_group_name
  subnet_id               = module.region[each.key].subnet_ids["data"]
  private_dns_zone_id     = module.region[each.key].private_dns_zone_ids["data_planes"]
  source_image_id         = local.image_id
  admin_ssh_public_key    = var.ssh_public_key
  control_plane_endpoint  = module.control_plane.grpc_endpoint
  kvstore_region          = each.key
  key_vault_id            = module.control_plane.key_vault_id
  secret_names            = { join_token = "join-token-${each.key}", certificate = "kv-tls-${each.key}" }
  certificate_authorities = var.ca_file == null ? null : file(var.ca_file)
  instances               = each.value.instances
  metrics                 = { remote_write_url = module.monitoring.remote_write_url }
  logs                    = var.logs ? module.monitoring.logs[each.key] : null
  # The control plane's own network has an endpoint of the key vault already.
  key_vault_endpoint = each.key == var.control_plane_region ? null : {
    subnet_id           = module.region[each.key].subnet_ids["endpoints"]
    private_dns_zone_id = module.region[each.key].private_dns_zone_ids["vault"]
  }
  tags = var.tags
}

module "registration" {
  source   = "../../modules/registration"
  for_each = local.clusters

  region = { name = each.key, display_name = each.value.location }
  clusters = {
    "${each.key}-a" = { addresses = ["*.${local.domains[each.key]}:8085-8086"], join_tokens = { "1" = { secret_version = 1 } } }
  }
  # With secrets of ours, so that no state has them.
  join_token_secrets = { "${each.key}-a/1" = "${var.join_token_secret}-${each.key}" }

  depends_on = [module.control_plane]
}

# Machines read theirs from the key vault, and follow it.
resource "azurerm_key_vault_secret" "join_token" {
  for_each = local.clusters

  name             = "join-token-${each.key}"
  key_vault_id     = module.control_plane.key_vault_id
  value_wo         = "kvj_${module.registration[each.key].join_token_ids["${each.key}-a/1"]}_${var.join_token_secret}-${each.key}"
  value_wo_version = 1
}

# Clients go to the nearest region that can serve them. Measure it: ping from a machine of one to a machine of the other.
resource "kvstore_round_trip" "this" {
  for_each = length(local.clusters) == 0 ? {} : var.round_trip_micros

  region = module.registration[split("/", each.key)[0]].region
  other  = module.registration[split("/", each.key)[1]].region
  micros = each.value
}

module "monitoring" {
  source = "../../modules/monitoring"

  name                = "kv-world"
  location            = module.region[local.name_region].location
  resource_group_name = module.region[local.name_region].resource_group_name
  emails              = var.alert_emails
  tags                = var.tags

  database_replica_ids = { for standby in module.standby : var.standby.region => standby.resource_id }

  publisher_principal_ids = merge(
    { control-plane = module.control_plane.identity_principal_id },
    { for name, cluster in module.cluster : name => cluster.identity_principal_id }
  )
  # Machines have no way to public addresses, and Grafana no other.
  private_link = {
    for name, region in module.region : name => {
      location             = region.location
      resource_group_name  = region.resource_group_name
      subnet_id            = region.subnet_ids["endpoints"]
      private_dns_zone_ids = region.monitor_private_dns_zone_ids
    }
  }
  public_queries_enabled = true
  logs                   = var.logs ? { log_analytics_workspace_id = module.region[local.name_region].log_analytics_workspace_id } : null
}
