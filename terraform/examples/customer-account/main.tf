# In a customer's subscription: storage for the cache, rights for KV Store's data planes, and the account's registration with proof and key.
terraform {
  required_version = ">= 1.11, < 2.0"
  required_providers {
    azurerm = {
      source  = "hashicorp/azurerm"
      version = ">= 4.73.0, < 5.0.0"
    }
    kvstore = {
      source  = "kvstore.dev/kvstore/kvstore"
      version = ">= 0.1.0, < 1.0.0"
    }
  }
}

provider "azurerm" {
  # The storage account takes no keys, so blobs are written as whoever applies this.
  storage_use_azuread = true
  features {
    storage {
      # The account is made and read by Resource Manager alone: its own port is closed to most.
      data_plane_available = false
    }
  }
}

# KVSTORE_URL and KVSTORE_ADMIN_TOKEN: a token of the tenant's own admin is enough.
provider "kvstore" {}

resource "azurerm_resource_group" "this" {
  name     = "${var.tenant}-kvstore"
  location = var.location
}

resource "azurerm_storage_account" "this" {
  name                            = var.storage_account_name
  resource_group_name             = azurerm_resource_group.this.name
  location                        = azurerm_resource_group.this.location
  account_tier                    = "Standard"
  account_replication_type        = "ZRS"
  account_kind                    = "StorageV2"
  min_tls_version                 = "TLS1_2"
  https_traffic_only_enabled      = true
  shared_access_key_enabled       = false
  allow_nested_items_to_be_public = false
  public_network_access_enabled   = length(var.allowed_ips) > 0

  network_rules {
    default_action = "Deny"
    bypass         = ["None"]
    ip_rules       = var.allowed_ips
  }
}

resource "azurerm_storage_container" "blocks" {
  name               = "blocks"
  storage_account_id = azurerm_storage_account.this.id
}

# Blocks that were stored long ago, even those that are read: engines compute them again when they need them.
resource "azurerm_storage_management_policy" "this" {
  storage_account_id = azurerm_storage_account.this.id

  rule {
    name    = "old-blocks"
    enabled = true

    filters {
      blob_types   = ["blockBlob"]
      prefix_match = ["${azurerm_storage_container.blocks.name}/kv/v1/"]
    }

    actions {
      base_blob {
        delete_after_days_since_modification_greater_than = var.keep_days
      }
    }
  }
}

module "registration" {
  source = "../../modules/registration"

  accounts = {
    (var.account) = {
      tenant = var.tenant
      replicas = {
        (var.region) = {
          endpoint  = trimsuffix(azurerm_storage_account.this.primary_blob_endpoint, "/")
          container = azurerm_storage_container.blocks.name
        }
      }
    }
  }
  keys   = { engines = { tenant = var.tenant, label = "inference engines" } }
  grants = { for grantee, access in var.grants : "${var.account}/${grantee}" => { grantee = grantee, access = access } }
}

module "access" {
  source = "../../modules/customer-access"

  name                = var.tenant
  location            = var.location
  resource_group_name = azurerm_resource_group.this.name
  principal_ids       = var.principal_ids
  containers          = { blocks = { container_id = azurerm_storage_container.blocks.id } }
  proofs = {
    blocks = {
      container = "blocks"
      blob      = module.registration.proofs[var.account][var.region].blob
      content   = module.registration.proofs[var.account][var.region].content
    }
  }
}

# Ends once a data plane has read the proof, and has written, read and deleted a blob.
resource "kvstore_account_ready" "this" {
  account  = var.account
  triggers = { proof = module.access.proof_ids["blocks"], rights = join(",", values(module.access.role_assignment_ids)) }
  timeouts = { create = "20m" }
}
