resource "azurerm_user_assigned_identity" "this" {
  name                = "id-${var.name}"
  location            = var.location
  resource_group_name = var.resource_group_name
  tags                = var.tags
}

resource "azurerm_role_assignment" "key_vault" {
  count = var.assign_key_vault_role ? 1 : 0

  scope                            = var.key_vault_id
  role_definition_name             = "Key Vault Secrets User"
  principal_id                     = azurerm_user_assigned_identity.this.principal_id
  principal_type                   = "ServicePrincipal"
  skip_service_principal_aad_check = true
}

resource "azurerm_private_endpoint" "key_vault" {
  count = var.key_vault_endpoint == null ? 0 : 1

  name                = "pe-${var.name}-vault"
  location            = var.location
  resource_group_name = var.resource_group_name
  subnet_id           = var.key_vault_endpoint.subnet_id
  tags                = var.tags

  private_service_connection {
    name                           = "vault"
    private_connection_resource_id = var.key_vault_id
    subresource_names              = ["vault"]
    is_manual_connection           = false
  }

  private_dns_zone_group {
    name                 = "default"
    private_dns_zone_ids = [var.key_vault_endpoint.private_dns_zone_id]
  }
}

resource "azurerm_orchestrated_virtual_machine_scale_set" "this" {
  name                = "vmss-${var.name}"
  location            = var.location
  resource_group_name = var.resource_group_name
  tags                = var.tags

  sku_name        = var.sku_name
  instances       = var.instances
  source_image_id = var.source_image_id

  # One fault domain, as zones demand: Azure spreads machines within a zone as widely as it can.
  platform_fault_domain_count   = 1
  zones                         = length(var.zones) == 0 ? null : var.zones
  zone_balance                  = length(var.zones) > 0
  capacity_reservation_group_id = var.capacity_reservation_group_id
  single_placement_group        = var.capacity_reservation_group_id == null ? null : false

  encryption_at_host_enabled   = var.encryption_at_host_enabled
  extension_operations_enabled = true

  os_profile {
    custom_data = base64encode(local.cloud_init)

    linux_configuration {
      admin_username                  = "azureuser"
      computer_name_prefix            = var.name
      disable_password_authentication = true

      admin_ssh_key {
        username   = "azureuser"
        public_key = var.admin_ssh_public_key
      }
    }
  }

  os_disk {
    caching              = "ReadOnly"
    storage_account_type = var.os_disk.storage_account_type
    disk_size_gb         = var.os_disk.size_gb
  }

  dynamic "network_interface" {
    for_each = range(var.network_interface_count)
    content {
      name                          = "nic-${network_interface.value}"
      primary                       = network_interface.value == 0
      enable_accelerated_networking = true

      ip_configuration {
        name                                   = "ip"
        primary                                = true
        subnet_id                              = var.subnet_id
        load_balancer_backend_address_pool_ids = network_interface.value == 0 ? [azurerm_lb_backend_address_pool.this.id] : null
      }
    }
  }

  identity {
    type         = "UserAssigned"
    identity_ids = setunion([azurerm_user_assigned_identity.this.id], var.managed_identities.user_assigned_resource_ids)
  }

  boot_diagnostics {}

  # The machine drains when it is told, and goes when it has no calls left.
  termination_notification {
    enabled = true
    timeout = "PT${var.termination_notice_minutes}M"
  }

  # Binary health (version 1.0): 200 is healthy. Version 2.0 wants an answer that KV Store does not give.
  extension {
    name                               = "health"
    publisher                          = "Microsoft.ManagedServices"
    type                               = "ApplicationHealthLinux"
    type_handler_version               = "1.0"
    auto_upgrade_minor_version_enabled = true
    settings = jsonencode({
      protocol          = "http"
      port              = local.machine_health_port
      requestPath       = "/q/health/ready"
      intervalInSeconds = 5
      numberOfProbes    = 3
    })
  }

  # What cloud-init wrote at the first start, for machines that run: Azure gives them no changed custom data.
  extension {
    name                               = "configuration"
    publisher                          = "Microsoft.Azure.Extensions"
    type                               = "CustomScript"
    type_handler_version               = "2.1"
    auto_upgrade_minor_version_enabled = true
    settings                           = jsonencode({ script = base64encode(local.configuration) })
  }

  # Azure's agent, which reads the machine's syslog.
  dynamic "extension" {
    for_each = var.logs == null ? [] : ["logs"]

    content {
      name                               = extension.value
      publisher                          = "Microsoft.Azure.Monitor"
      type                               = "AzureMonitorLinuxAgent"
      type_handler_version               = "1.33"
      auto_upgrade_minor_version_enabled = true
      settings = jsonencode({ authentication = { managedIdentity = {
        identifier-name  = "mi_res_id"
        identifier-value = azurerm_user_assigned_identity.this.id
      } } })
    }
  }

  upgrade_mode = "Rolling"

  rolling_upgrade_policy {
    max_batch_instance_percent              = local.batch_percent
    max_unhealthy_instance_percent          = local.unhealthy_percent
    max_unhealthy_upgraded_instance_percent = local.unhealthy_percent
    pause_time_between_batches              = var.upgrade.pause
    prioritize_unhealthy_instances_enabled  = true
    maximum_surge_instances_enabled         = var.upgrade.surge
  }

  dynamic "automatic_instance_repair" {
    for_each = var.instance_repair_grace_minutes == null ? [] : [var.instance_repair_grace_minutes]
    content {
      enabled      = true
      grace_period = "PT${automatic_instance_repair.value}M"
      action       = "Replace"
    }
  }

  # Machines that start without the right or the way to read their secrets would wait for it; without a rule they would take no connections.
  depends_on = [azurerm_role_assignment.key_vault, azurerm_private_endpoint.key_vault, azurerm_lb_rule.this]
}

resource "azurerm_role_assignment" "this" {
  for_each = var.role_assignments

  scope                                  = azurerm_orchestrated_virtual_machine_scale_set.this.id
  principal_id                           = each.value.principal_id
  principal_type                         = each.value.principal_type
  role_definition_id                     = strcontains(lower(each.value.role_definition_id_or_name), lower(local.role_definition_prefix)) ? each.value.role_definition_id_or_name : null
  role_definition_name                   = strcontains(lower(each.value.role_definition_id_or_name), lower(local.role_definition_prefix)) ? null : each.value.role_definition_id_or_name
  description                            = each.value.description
  condition                              = each.value.condition
  condition_version                      = each.value.condition_version
  skip_service_principal_aad_check       = each.value.skip_service_principal_aad_check
  delegated_managed_identity_resource_id = each.value.delegated_managed_identity_resource_id
}

resource "azurerm_management_lock" "this" {
  count = var.lock == null ? 0 : 1

  name       = coalesce(var.lock.name, "lock-${var.name}")
  scope      = azurerm_orchestrated_virtual_machine_scale_set.this.id
  lock_level = var.lock.kind
  notes      = "Of KV Store's cluster ${var.name}."
}
