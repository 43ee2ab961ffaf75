resource "azurerm_lb" "this" {
  name                = "lbi-${var.name}"
  location            = var.location
  resource_group_name = var.resource_group_name
  sku                 = "Standard"
  tags                = var.tags

  frontend_ip_configuration {
    name                          = local.frontend
    subnet_id                     = var.subnet_id
    private_ip_address            = var.frontend_private_ip_address
    private_ip_address_allocation = var.frontend_private_ip_address == null ? "Dynamic" : "Static"
    # Not those of the machines: azurerm replaces a balancer whose zones change, with all that hangs on it.
    zones = length(var.frontend_zones) == 0 ? null : var.frontend_zones
  }
}

resource "azurerm_lb_backend_address_pool" "this" {
  name            = "data-planes"
  loadbalancer_id = azurerm_lb.this.id
}

# One for each data plane: when one of a machine is ill or drains, the others keep their connections.
resource "azurerm_lb_probe" "this" {
  for_each = local.ports

  name                = "ready-${each.key}"
  loadbalancer_id     = azurerm_lb.this.id
  protocol            = var.plaintext ? "Http" : "Https"
  port                = each.value + local.http_above
  request_path        = "/q/health/ready"
  interval_in_seconds = 5
  probe_threshold     = 2
}

resource "azurerm_lb_rule" "this" {
  for_each = local.ports

  name                           = "grpc-${each.key}"
  loadbalancer_id                = azurerm_lb.this.id
  frontend_ip_configuration_name = local.frontend
  backend_address_pool_ids       = [azurerm_lb_backend_address_pool.this.id]
  probe_id                       = azurerm_lb_probe.this[each.key].id
  protocol                       = "Tcp"
  frontend_port                  = each.value
  backend_port                   = each.value
  # Connections live long, and both ends learn when the balancer gives one up.
  idle_timeout_in_minutes = 30
  tcp_reset_enabled       = true
  disable_outbound_snat   = true
  load_distribution       = "Default"
}

resource "azurerm_private_dns_a_record" "this" {
  name                = var.name
  zone_name           = local.zone_name
  resource_group_name = local.zone_resource_group_name
  ttl                 = 60
  records             = [azurerm_lb.this.private_ip_address]
  tags                = var.tags
}

resource "azurerm_private_link_service" "this" {
  count = var.private_link == null ? 0 : 1

  name                                        = "pls-${var.name}"
  location                                    = var.location
  resource_group_name                         = var.resource_group_name
  load_balancer_frontend_ip_configuration_ids = [azurerm_lb.this.frontend_ip_configuration[0].id]
  # Without it all customers would come from the same few addresses, and share what one address may have.
  proxy_protocol_enabled         = true
  fqdns                          = [local.host]
  auto_approval_subscription_ids = var.private_link.auto_approval_subscription_ids
  visibility_subscription_ids    = setunion(var.private_link.visibility_subscription_ids, length(var.private_link.visibility_subscription_ids) == 0 ? var.private_link.auto_approval_subscription_ids : [])
  tags                           = var.tags

  dynamic "nat_ip_configuration" {
    for_each = range(var.private_link.nat_address_count)
    content {
      name      = "nat-${nat_ip_configuration.value}"
      subnet_id = var.private_link.subnet_id
      primary   = nat_ip_configuration.value == 0
    }
  }

  # A service on a balancer without rules is refused.
  depends_on = [azurerm_lb_rule.this]
}

resource "azurerm_monitor_diagnostic_setting" "this" {
  for_each = var.diagnostic_settings

  name                           = coalesce(each.value.name, "diag-${var.name}-${each.key}")
  target_resource_id             = azurerm_lb.this.id
  log_analytics_workspace_id     = each.value.workspace_resource_id
  log_analytics_destination_type = each.value.workspace_resource_id == null ? null : each.value.log_analytics_destination_type
  storage_account_id             = each.value.storage_account_resource_id
  eventhub_authorization_rule_id = each.value.event_hub_authorization_rule_resource_id
  eventhub_name                  = each.value.event_hub_name
  partner_solution_id            = each.value.marketplace_partner_resource_id

  dynamic "enabled_log" {
    for_each = each.value.log_categories
    content {
      category = enabled_log.value
    }
  }

  dynamic "enabled_log" {
    for_each = each.value.log_groups
    content {
      category_group = enabled_log.value
    }
  }

  dynamic "enabled_metric" {
    for_each = each.value.metric_categories
    content {
      category = enabled_metric.value
    }
  }
}
