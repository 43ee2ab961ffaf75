resource "azurerm_postgresql_flexible_server" "this" {
  name                              = "${var.name}-pg"
  location                          = var.location
  resource_group_name               = var.resource_group_name
  version                           = var.database.version
  sku_name                          = var.database.sku_name
  storage_mb                        = var.database.storage_mb
  auto_grow_enabled                 = true
  backup_retention_days             = var.database.backup_retention_days
  geo_redundant_backup_enabled      = var.database.geo_redundant_backup_enabled
  delegated_subnet_id               = var.subnet_ids.postgres
  private_dns_zone_id               = var.private_dns_zone_ids.postgres
  public_network_access_enabled     = false
  administrator_login               = var.database.administrator_login
  administrator_password_wo         = var.secrets.database_password
  administrator_password_wo_version = var.secrets_version
  tags                              = var.tags

  authentication {
    password_auth_enabled         = true
    active_directory_auth_enabled = false
  }

  dynamic "high_availability" {
    for_each = var.database.high_availability == "None" ? [] : [var.database.high_availability]

    content {
      mode = high_availability.value
    }
  }

  maintenance_window {
    day_of_week  = var.database.maintenance_window.day_of_week
    start_hour   = var.database.maintenance_window.start_hour
    start_minute = 0
  }

  lifecycle {
    # A failover exchanges the zones: no apply brings them back. The storage grows by itself.
    ignore_changes = [zone, high_availability[0].standby_availability_zone, storage_mb]
  }
}

resource "azurerm_postgresql_flexible_server_database" "this" {
  name      = "kvstore"
  server_id = azurerm_postgresql_flexible_server.this.id
  charset   = "UTF8"
  collation = "en_US.utf8"
}

resource "azurerm_postgresql_flexible_server_configuration" "this" {
  for_each = {
    ssl_min_protocol_version = "TLSv1.3"
    # What was slow is in the log, with its plan's numbers.
    log_min_duration_statement = "1000"
  }

  name      = each.key
  server_id = azurerm_postgresql_flexible_server.this.id
  value     = each.value
}

resource "azurerm_management_lock" "this" {
  count = var.lock == null ? 0 : 1

  name       = coalesce(try(var.lock.name, null), "${var.name}-lock")
  scope      = azurerm_postgresql_flexible_server.this.id
  lock_level = var.lock.kind
  notes      = "Tenants, accounts, keys and clusters are here, and nowhere else. Take the lock away before you delete the database."
}
