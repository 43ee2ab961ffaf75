resource "azurerm_lb" "this" {
  count = local.with_machines ? 1 : 0

  name                = "${var.name}-lb"
  location            = var.location
  resource_group_name = var.resource_group_name
  sku                 = "Standard"
  tags                = var.tags

  frontend_ip_configuration {
    name                          = "control-plane"
    subnet_id                     = var.subnet_ids.data
    private_ip_address_allocation = "Dynamic"
    # Not those of the machines: azurerm replaces a balancer whose zones change, with all that hangs on it.
    zones = length(var.machines.frontend_zones) == 0 ? null : var.machines.frontend_zones
  }
}

resource "azurerm_lb_backend_address_pool" "this" {
  count = local.with_machines ? 1 : 0

  name            = "control-plane"
  loadbalancer_id = azurerm_lb.this[0].id
}

resource "azurerm_lb_probe" "this" {
  count = local.with_machines ? 1 : 0

  name                = "ready"
  loadbalancer_id     = azurerm_lb.this[0].id
  protocol            = "Https"
  port                = local.rest_port
  request_path        = "/q/health/ready"
  interval_in_seconds = 5
  probe_threshold     = 2
}

resource "azurerm_lb_rule" "this" {
  for_each = local.with_machines ? { grpc = local.grpc_port, rest = local.rest_port } : {}

  name                           = each.key
  loadbalancer_id                = azurerm_lb.this[0].id
  protocol                       = "Tcp"
  frontend_ip_configuration_name = "control-plane"
  frontend_port                  = each.value
  backend_port                   = each.value
  backend_address_pool_ids       = [azurerm_lb_backend_address_pool.this[0].id]
  probe_id                       = azurerm_lb_probe.this[0].id
  idle_timeout_in_minutes        = 30
  tcp_reset_enabled              = true
  disable_outbound_snat          = true
}

resource "azurerm_private_dns_a_record" "this" {
  count = local.with_machines && var.host_record_enabled ? 1 : 0

  name                = trimsuffix(var.host, ".${local.zone_of_host}")
  zone_name           = local.zone_of_host
  resource_group_name = regex("(?i)/resourceGroups/([^/]+)/", var.private_dns_zone_ids.host)[0]
  ttl                 = 60
  records             = [azurerm_lb.this[0].private_ip_address]
  tags                = var.tags
}

resource "azurerm_private_link_service" "this" {
  count = local.with_link ? 1 : 0

  name                                        = "${var.name}-control-plane"
  location                                    = var.location
  resource_group_name                         = var.resource_group_name
  load_balancer_frontend_ip_configuration_ids = azurerm_lb.this[0].frontend_ip_configuration[*].id
  auto_approval_subscription_ids              = try(var.private_link.auto_approval_subscription_ids, [])
  visibility_subscription_ids                 = try(var.private_link.auto_approval_subscription_ids, [])
  # The control plane counts nothing by address, and REST does not read such a header.
  proxy_protocol_enabled = false
  tags                   = var.tags

  nat_ip_configuration {
    name      = "primary"
    primary   = true
    subnet_id = var.subnet_ids.link
  }

  depends_on = [azurerm_lb_rule.this]
}
