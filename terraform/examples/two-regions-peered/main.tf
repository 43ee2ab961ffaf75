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

# The control plane and the token come from KVSTORE_URL and KVSTORE_ADMIN_TOKEN.
provider "kvstore" {}

# Each region's network is peered with the other's, so that data planes of one fetch blocks from the other and clients move between them.
module "eu" {
  source = "../../modules/region"

  name          = "eu-1"
  location      = "germanywestcentral"
  address_space = var.address_spaces.eu
  peerings = {
    us-1 = { virtual_network_id = module.us.virtual_network_id, address_spaces = [var.address_spaces.us] }
  }
}

module "us" {
  source = "../../modules/region"

  name          = "us-1"
  location      = "eastus2"
  address_space = var.address_spaces.us
  peerings = {
    eu-1 = { virtual_network_id = module.eu.virtual_network_id, address_spaces = [var.address_spaces.eu] }
  }
}

locals {
  regions = {
    eu-1 = module.eu
    us-1 = module.us
  }
}

module "cluster" {
  source   = "../../modules/cluster-vmss"
  for_each = local.regions

  name                   = "${each.key}-a"
  location               = each.value.location
  resource_group_name    = each.value.resource_group_name
  subnet_id              = each.value.subnet_ids["data"]
  private_dns_zone_id    = each.value.private_dns_zone_ids["data_planes"]
  source_image_id        = var.image_ids[each.key]
  admin_ssh_public_key   = var.ssh_public_key
  control_plane_endpoint = var.control_plane_endpoint
  kvstore_region         = each.key
  key_vault_id           = var.key_vault_id
  secret_names           = { join_token = "join-token-${each.key}", certificate = "kv-tls-${each.key}" }
}

module "registration" {
  source   = "../../modules/registration"
  for_each = local.regions

  region = { name = each.key }
  clusters = {
    "${each.key}-a" = { addresses = module.cluster[each.key].address_patterns, join_tokens = { "1" = {} } }
  }
}

# Clients go to the nearest region that can serve them. Measure it: ping from a machine of one to a machine of the other.
resource "kvstore_round_trip" "eu_us" {
  region = module.registration["eu-1"].region
  other  = module.registration["us-1"].region
  micros = var.round_trip_micros
}

resource "azurerm_key_vault_secret" "join_token" {
  for_each = local.regions

  name             = "join-token-${each.key}"
  key_vault_id     = var.key_vault_id
  value_wo         = module.registration[each.key].join_tokens["${each.key}-a/1"]
  value_wo_version = 1
}
