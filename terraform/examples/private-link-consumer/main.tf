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

# In the customer's subscription. Clients find the cluster by the name that its certificate has, at a private address of their own network.
module "kvstore" {
  source = "../../modules/customer-access"

  name                = var.name
  location            = var.location
  resource_group_name = var.resource_group_name
  service_endpoints = {
    for key, service in var.services : key => {
      private_link_service_alias = service.alias
      subnet_id                  = var.subnet_id
      host                       = service.host
      virtual_network_ids        = { clients = var.virtual_network_id }
      request_message            = "KV Store for ${var.name}"
    }
  }
}
