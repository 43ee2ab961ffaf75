resource "azurerm_orchestrated_virtual_machine_scale_set" "this" {
  count = local.with_machines ? 1 : 0

  name                        = "${var.name}-control-plane"
  location                    = var.location
  resource_group_name         = var.resource_group_name
  platform_fault_domain_count = 1
  single_placement_group      = false
  sku_name                    = var.machines.sku_name
  instances                   = var.machines.instances
  zones                       = length(var.machines.zones) == 0 ? null : var.machines.zones
  zone_balance                = length(var.machines.zones) > 0
  source_image_id             = var.machines.source_image_id
  encryption_at_host_enabled  = true
  upgrade_mode                = "Rolling"
  tags                        = var.tags

  network_interface {
    name                          = "primary"
    primary                       = true
    enable_accelerated_networking = true

    ip_configuration {
      name                                   = "primary"
      primary                                = true
      subnet_id                              = var.subnet_ids.data
      load_balancer_backend_address_pool_ids = [azurerm_lb_backend_address_pool.this[0].id]
    }
  }

  os_profile {
    custom_data = base64encode(local.cloud_init)

    linux_configuration {
      admin_username                  = "azureuser"
      disable_password_authentication = true

      admin_ssh_key {
        username   = "azureuser"
        public_key = var.machines.ssh_public_key
      }
    }
  }

  os_disk {
    caching              = "ReadWrite"
    storage_account_type = "Premium_LRS"
  }

  identity {
    type         = "UserAssigned"
    identity_ids = [azurerm_user_assigned_identity.this.id]
  }

  boot_diagnostics {}

  # Binary health (version 1.0): 200 is healthy. With 2.0 each machine would be "unknown", since the answer does not name Azure's states, and no upgrade would
  # go beyond its first batch.
  extension {
    name                               = "health"
    publisher                          = "Microsoft.ManagedServices"
    type                               = "ApplicationHealthLinux"
    type_handler_version               = "1.0"
    auto_upgrade_minor_version_enabled = true
    settings = jsonencode({
      protocol          = "https"
      port              = local.rest_port
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

  # One of three at a time, so that two serve; one of two may be ill, or two machines could not be upgraded. The percentages do not follow the number of machines: azurerm replaces the scale set, and so all
  # machines at once, when one changes.
  rolling_upgrade_policy {
    max_batch_instance_percent              = 34
    max_unhealthy_instance_percent          = 50
    max_unhealthy_upgraded_instance_percent = 50
    pause_time_between_batches              = "PT1M"
  }

  automatic_instance_repair {
    enabled      = true
    action       = "Replace"
    grace_period = "PT30M"
  }

  # A machine that starts reads secrets, and logs on to the database.
  depends_on = [
    azurerm_role_assignment.reads_secrets, azurerm_key_vault_secret.environment, azurerm_private_endpoint.key_vault, azurerm_postgresql_flexible_server_database.this,
    azurerm_lb_rule.this
  ]
}
