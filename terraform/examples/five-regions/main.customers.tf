# Customers whose storage accounts are in subscriptions where you may assign roles; others apply modules/customer-access by themselves.
locals {
  customers = { for name, customer in var.customers : name => customer if length(local.clusters) > 0 }

  replicas = merge([for name, customer in local.customers : {
    for region, replica in customer.replicas : "${name}-${region}" => replica
  }]...)
}

# Data planes of each region reach the storage of all: a warming, and a block that is read through, cross regions.
module "customer_storage" {
  source   = "../../modules/customer-access"
  for_each = { for name in keys(local.clusters) : name => name if length(local.customers) > 0 }

  name                = each.key
  location            = module.region[each.key].location
  resource_group_name = module.region[each.key].resource_group_name
  storage_endpoints = {
    for name, replica in local.replicas : name => {
      storage_account_id   = replica.storage_account_id
      subnet_id            = module.region[each.key].subnet_ids["endpoints"]
      private_dns_zone_ids = [module.region[each.key].private_dns_zone_ids["blob"]]
    }
  }
  tags = var.tags
}

module "customer_rights" {
  source   = "../../modules/customer-access"
  for_each = local.customers

  name                = each.key
  location            = local.home.location
  resource_group_name = local.home.resource_group_name
  principal_ids       = { for name, cluster in module.cluster : name => cluster.identity_principal_id }
  containers = {
    for region, replica in each.value.replicas : region => {
      container_id = "${replica.storage_account_id}/blobServices/default/containers/${replica.container}"
    }
  }
  tags = var.tags
}

module "customer" {
  source   = "../../modules/registration"
  for_each = local.customers

  tenants = { (each.key) = {} }
  accounts = {
    "${each.key}-prod" = {
      tenant      = each.key
      home_region = each.value.home_region
      replicas = {
        for region, replica in each.value.replicas : region => {
          endpoint   = "https://${element(split("/", replica.storage_account_id), 8)}.blob.core.windows.net"
          container  = replica.container
          credential = "managed-identity"
          vouched    = true
        }
      }
      read_through = { from = each.value.home_region }
    }
  }
  warmings = {
    for region in each.value.warm_regions : "${each.key}-${region}" => {
      account       = "${each.key}-prod"
      from          = each.value.home_region
      to            = region
      select        = { used = true }
      every_seconds = 10
    }
  }
  keys = { (each.key) = { tenant = each.key, label = "inference engines" } }

  depends_on = [module.registration, module.customer_rights, module.customer_storage]
}
