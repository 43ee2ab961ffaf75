# A region on AKS that belongs to a control plane elsewhere: network, AKS, metrics, and the registration.
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
  features {}
}

# KVSTORE_URL and KVSTORE_ADMIN_TOKEN say where the control plane is, and who asks.
provider "kvstore" {}

locals {
  # Below it clients and other regions find data planes.
  domain = "${var.name}.${var.domain}"

  logs = var.logs ? { log_analytics_workspace_id = module.region.log_analytics_workspace_id } : null
}

module "region" {
  source = "../../modules/region"

  name              = var.name
  location          = var.location
  address_space     = var.address_space
  data_plane_domain = local.domain
}

# Nodes have a subnet of their own: Kubernetes needs more ports than data planes on machines do.
resource "azurerm_subnet" "nodes" {
  name                            = "nodes"
  resource_group_name             = module.region.resource_group_name
  virtual_network_name            = regex("[^/]+$", module.region.virtual_network_id)
  address_prefixes                = [cidrsubnet(var.address_space, 6, 8)]
  default_outbound_access_enabled = false
}

# Pods as well, so that clients of peered networks reach each data plane.
resource "azurerm_subnet" "pods" {
  name                            = "pods"
  resource_group_name             = module.region.resource_group_name
  virtual_network_name            = regex("[^/]+$", module.region.virtual_network_id)
  address_prefixes                = [cidrsubnet(var.address_space, 6, 9)]
  default_outbound_access_enabled = false

  delegation {
    name = "aks"

    service_delegation {
      name    = "Microsoft.ContainerService/managedClusters"
      actions = ["Microsoft.Network/virtualNetworks/subnets/join/action"]
    }
  }
}

# Pods are reached as machines are: data planes by all networks, what else they tell by this one alone.
resource "azurerm_network_security_group" "aks" {
  name                = "nsg-${var.name}-aks"
  resource_group_name = module.region.resource_group_name
  location            = var.location
}

resource "azurerm_network_security_rule" "aks" {
  for_each = {
    data-planes  = { priority = 100, access = "Allow", port = "8085", source = "VirtualNetwork" }
    this-network = { priority = 110, access = "Allow", port = "*", source = var.address_space }
    balancer     = { priority = 120, access = "Allow", port = "*", source = "AzureLoadBalancer" }
    deny         = { priority = 4096, access = "Deny", port = "*", source = "*" }
  }

  name                        = "in-${each.key}"
  resource_group_name         = module.region.resource_group_name
  network_security_group_name = azurerm_network_security_group.aks.name
  priority                    = each.value.priority
  direction                   = "Inbound"
  access                      = each.value.access
  protocol                    = "*"
  source_port_range           = "*"
  source_address_prefix       = each.value.source
  destination_port_range      = each.value.port
  destination_address_prefix  = "*"
}

resource "azurerm_subnet_network_security_group_association" "aks" {
  for_each = { nodes = azurerm_subnet.nodes.id, pods = azurerm_subnet.pods.id }

  subnet_id                 = each.value
  network_security_group_id = azurerm_network_security_group.aks.id
}

module "aks" {
  source = "../../modules/cluster-aks"

  name                   = "${var.name}-a"
  location               = var.location
  resource_group_name    = module.region.resource_group_name
  subnet_id              = azurerm_subnet.nodes.id
  pod_subnet             = { id = azurerm_subnet.pods.id }
  domain                 = "${var.name}-a.${local.domain}"
  external_dns           = { private_dns_zone_id = module.region.private_dns_zone_ids["data_planes"] }
  region                 = var.name
  cluster                = "${var.name}-a"
  control_plane          = { grpc_endpoint = var.control_plane }
  images                 = var.images
  container_registry     = var.container_registry_id == null ? null : { id = var.container_registry_id }
  admin_group_object_ids = var.admin_group_object_ids
  data_planes            = { node_count = var.node_count }
  logs                   = local.logs
}

module "monitoring" {
  source = "../../modules/monitoring"

  name                = substr("${var.name}-metrics", 0, 19)
  location            = var.location
  resource_group_name = module.region.resource_group_name
  emails              = var.emails
  aks_cluster_ids     = { (var.name) = module.aks.resource_id }
  logs                = local.logs
}

module "registration" {
  source = "../../modules/registration"

  region = { name = var.name, display_name = var.location, round_trips = var.round_trips }
  clusters = {
    "${var.name}-a" = {
      addresses   = module.aks.addresses
      join_tokens = { first = {} }
    }
  }
}
