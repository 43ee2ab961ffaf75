resource "azurerm_cdn_frontdoor_profile" "this" {
  count = var.front_door == null ? 0 : 1

  name                     = "${local.front_door_name}-fd"
  resource_group_name      = var.resource_group_name
  sku_name                 = "Premium_AzureFrontDoor"
  response_timeout_seconds = 90
  tags                     = var.tags

  # Front Door's private endpoint has to go before the service that it leads to.
  depends_on = [azurerm_private_link_service.this]
}

resource "azurerm_cdn_frontdoor_endpoint" "this" {
  count = var.front_door == null ? 0 : 1

  name                     = local.front_door_name
  cdn_frontdoor_profile_id = azurerm_cdn_frontdoor_profile.this[0].id
  tags                     = var.tags
}

resource "azurerm_cdn_frontdoor_origin_group" "this" {
  count = var.front_door == null ? 0 : 1

  name                     = "control-plane"
  cdn_frontdoor_profile_id = azurerm_cdn_frontdoor_profile.this[0].id
  session_affinity_enabled = false

  health_probe {
    protocol            = "Https"
    path                = "/q/health/ready"
    request_type        = "GET"
    interval_in_seconds = 30
  }

  load_balancing {}
}

resource "azurerm_cdn_frontdoor_origin" "this" {
  count = var.front_door == null ? 0 : 1

  name                           = "control-plane"
  cdn_frontdoor_origin_group_id  = azurerm_cdn_frontdoor_origin_group.this[0].id
  host_name                      = var.host
  origin_host_header             = var.host
  https_port                     = local.rest_port
  certificate_name_check_enabled = true
  enabled                        = true

  private_link {
    location               = var.location
    private_link_target_id = azurerm_private_link_service.this[0].id
    request_message        = "Front Door of ${var.name}"
  }
}

resource "azurerm_cdn_frontdoor_route" "this" {
  count = var.front_door == null ? 0 : 1

  name                          = "rest"
  cdn_frontdoor_endpoint_id     = azurerm_cdn_frontdoor_endpoint.this[0].id
  cdn_frontdoor_origin_group_id = azurerm_cdn_frontdoor_origin_group.this[0].id
  cdn_frontdoor_origin_ids      = [azurerm_cdn_frontdoor_origin.this[0].id]
  # Neither health nor metrics are for the internet.
  patterns_to_match      = ["/v1/*"]
  supported_protocols    = ["Https"]
  forwarding_protocol    = "HttpsOnly"
  https_redirect_enabled = false
  link_to_default_domain = true
}

resource "azurerm_cdn_frontdoor_firewall_policy" "this" {
  count = var.front_door == null ? 0 : 1

  name                = replace("${local.front_door_name}waf", "-", "")
  resource_group_name = var.resource_group_name
  sku_name            = "Premium_AzureFrontDoor"
  mode                = "Prevention"
  tags                = var.tags

  custom_rule {
    name     = "strangers"
    type     = "MatchRule"
    action   = "Block"
    priority = 1

    match_condition {
      match_variable     = "SocketAddr"
      operator           = "IPMatch"
      negation_condition = true
      match_values       = tolist(var.front_door.allowed_ips)
    }
  }
}

resource "azurerm_cdn_frontdoor_security_policy" "this" {
  count = var.front_door == null ? 0 : 1

  name                     = "strangers"
  cdn_frontdoor_profile_id = azurerm_cdn_frontdoor_profile.this[0].id

  security_policies {
    firewall {
      cdn_frontdoor_firewall_policy_id = azurerm_cdn_frontdoor_firewall_policy.this[0].id

      association {
        patterns_to_match = ["/*"]

        domain {
          cdn_frontdoor_domain_id = azurerm_cdn_frontdoor_endpoint.this[0].id
        }
      }
    }
  }
}
