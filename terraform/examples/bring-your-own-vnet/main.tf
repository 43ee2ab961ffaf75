terraform {
  required_version = ">= 1.11, < 2.0"

  required_providers {
    azurerm = {
      source  = "hashicorp/azurerm"
      version = ">= 4.73.0, < 5.0.0"
    }
  }
}

provider "azurerm" {
  subscription_id = var.subscription_id
  features {}
}

# Ids in, ids out: the cluster takes a network, a zone and a key vault of yours in place of those that the other modules make.
module "cluster" {
  source = "../../modules/cluster-vmss"

  name                   = var.cluster
  location               = var.location
  resource_group_name    = var.resource_group_name
  subnet_id              = var.subnet_id
  private_dns_zone_id    = var.private_dns_zone_id
  source_image_id        = var.image_id
  admin_ssh_public_key   = var.ssh_public_key
  control_plane_endpoint = var.control_plane_endpoint
  kvstore_region         = var.region
  key_vault_id           = var.key_vault_id
  # Whoever owns the vault gives the identity its role there.
  assign_key_vault_role = false
}
