# Of Kubernetes itself, for its nodes' interfaces and balancers.
resource "azurerm_user_assigned_identity" "cluster" {
  name                = "${var.name}-aks"
  location            = var.location
  resource_group_name = var.resource_group_name
  tags                = var.tags
}

resource "azurerm_role_assignment" "network" {
  scope                            = var.subnet_id
  role_definition_name             = "Network Contributor"
  principal_id                     = azurerm_user_assigned_identity.cluster.principal_id
  principal_type                   = "ServicePrincipal"
  skip_service_principal_aad_check = true
}

resource "azurerm_role_assignment" "pod_network" {
  count = var.pod_subnet == null ? 0 : 1

  scope                            = var.pod_subnet.id
  role_definition_name             = "Network Contributor"
  principal_id                     = azurerm_user_assigned_identity.cluster.principal_id
  principal_type                   = "ServicePrincipal"
  skip_service_principal_aad_check = true
}

# Of the nodes, for images.
resource "azurerm_user_assigned_identity" "nodes" {
  name                = "${var.name}-nodes"
  location            = var.location
  resource_group_name = var.resource_group_name
  tags                = var.tags
}

resource "azurerm_role_assignment" "hands_out_node_identity" {
  scope                            = azurerm_user_assigned_identity.nodes.id
  role_definition_name             = "Managed Identity Operator"
  principal_id                     = azurerm_user_assigned_identity.cluster.principal_id
  principal_type                   = "ServicePrincipal"
  skip_service_principal_aad_check = true
}

# Of the data planes, for tenants' storage.
resource "azurerm_user_assigned_identity" "this" {
  name                = "${var.name}-data-planes"
  location            = var.location
  resource_group_name = var.resource_group_name
  tags                = var.tags
}

resource "azurerm_federated_identity_credential" "data_plane" {
  name                      = "${var.name}-data-plane"
  user_assigned_identity_id = azurerm_user_assigned_identity.this.id
  issuer                    = azurerm_kubernetes_cluster.this.oidc_issuer_url
  subject                   = "system:serviceaccount:${var.release.namespace}:${local.release}-data-plane"
  audience                  = ["api://AzureADTokenExchange"]
}

resource "azurerm_federated_identity_credential" "control_plane" {
  count = var.control_plane.database == null ? 0 : 1

  name                      = "${var.name}-control-plane"
  user_assigned_identity_id = var.control_plane.database.identity_id
  issuer                    = azurerm_kubernetes_cluster.this.oidc_issuer_url
  subject                   = "system:serviceaccount:${var.release.namespace}:${local.release}-control-plane"
  audience                  = ["api://AzureADTokenExchange"]
}

resource "azurerm_user_assigned_identity" "external_dns" {
  count = var.external_dns == null ? 0 : 1

  name                = "${var.name}-external-dns"
  location            = var.location
  resource_group_name = var.resource_group_name
  tags                = var.tags
}

resource "azurerm_role_assignment" "makes_names" {
  count = var.external_dns == null ? 0 : 1

  scope                            = var.external_dns.private_dns_zone_id
  role_definition_name             = "Private DNS Zone Contributor"
  principal_id                     = azurerm_user_assigned_identity.external_dns[0].principal_id
  principal_type                   = "ServicePrincipal"
  skip_service_principal_aad_check = true
}

# It lists the zones of the group before it looks at one.
resource "azurerm_role_assignment" "finds_zones" {
  count = var.external_dns == null ? 0 : 1

  scope                            = join("/", slice(split("/", var.external_dns.private_dns_zone_id), 0, 5))
  role_definition_name             = "Reader"
  principal_id                     = azurerm_user_assigned_identity.external_dns[0].principal_id
  principal_type                   = "ServicePrincipal"
  skip_service_principal_aad_check = true
}

resource "azurerm_federated_identity_credential" "external_dns" {
  count = var.external_dns == null ? 0 : 1

  name                      = "${var.name}-external-dns"
  user_assigned_identity_id = azurerm_user_assigned_identity.external_dns[0].id
  issuer                    = azurerm_kubernetes_cluster.this.oidc_issuer_url
  subject                   = "system:serviceaccount:${var.external_dns.namespace}:${var.external_dns.service_account}"
  audience                  = ["api://AzureADTokenExchange"]
}

resource "azurerm_role_assignment" "pulls_images" {
  count = var.container_registry == null ? 0 : 1

  scope                            = var.container_registry.id
  role_definition_name             = "AcrPull"
  principal_id                     = azurerm_user_assigned_identity.nodes.principal_id
  principal_type                   = "ServicePrincipal"
  skip_service_principal_aad_check = true
}

resource "azurerm_role_assignment" "this" {
  for_each = var.role_assignments

  scope                                  = azurerm_kubernetes_cluster.this.id
  principal_id                           = each.value.principal_id
  role_definition_id                     = strcontains(lower(each.value.role_definition_id_or_name), "/roledefinitions/") ? each.value.role_definition_id_or_name : null
  role_definition_name                   = strcontains(lower(each.value.role_definition_id_or_name), "/roledefinitions/") ? null : each.value.role_definition_id_or_name
  description                            = each.value.description
  skip_service_principal_aad_check       = each.value.skip_service_principal_aad_check
  condition                              = each.value.condition
  condition_version                      = each.value.condition_version
  delegated_managed_identity_resource_id = each.value.delegated_managed_identity_resource_id
  principal_type                         = each.value.principal_type
}
