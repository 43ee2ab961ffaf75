resource "azurerm_postgresql_flexible_server" "this" {
  name                              = coalesce(var.database_name, "${var.name}-pg")
  location                          = var.location
  resource_group_name               = var.resource_group_name
  version                           = local.is_replica ? null : var.database.version
  sku_name                          = var.database.sku_name
  storage_mb                        = var.database.storage_mb
  auto_grow_enabled                 = true
  backup_retention_days             = local.is_reading ? null : var.database.backup_retention_days
  geo_redundant_backup_enabled      = !local.is_replica && coalesce(var.database.geo_redundant_backup_enabled, !contains(local.locations_without_pair, var.location))
  delegated_subnet_id               = var.subnet_ids.postgres
  private_dns_zone_id               = var.private_dns_zone_ids.postgres
  public_network_access_enabled     = false
  administrator_login               = local.is_replica ? null : var.database.administrator_login
  administrator_password_wo         = local.is_reading ? null : var.secrets.database_password
  administrator_password_wo_version = local.is_reading ? null : var.secrets_version
  tags                              = var.tags

  create_mode                       = local.is_replica ? "Replica" : var.database.restore == null ? "Default" : var.database.restore.other_location ? "GeoRestore" : "PointInTimeRestore"
  replication_role                  = local.is_replica && !local.is_reading ? "None" : null
  source_server_id                  = try(var.database.replica.source_server_id, var.database.restore.source_server_id, null)
  point_in_time_restore_time_in_utc = try(var.database.restore.time, null)

  # What a replica has of its source, Azure takes from there.
  dynamic "authentication" {
    for_each = local.is_reading ? [] : ["password"]

    content {
      password_auth_enabled         = true
      active_directory_auth_enabled = false
    }
  }

  dynamic "high_availability" {
    for_each = var.database.high_availability == "None" || local.is_reading ? [] : [var.database.high_availability]

    content {
      mode = high_availability.value
    }
  }

  dynamic "maintenance_window" {
    for_each = local.is_reading ? [] : [var.database.maintenance_window]

    content {
      day_of_week  = maintenance_window.value.day_of_week
      start_hour   = maintenance_window.value.start_hour
      start_minute = 0
    }
  }

  lifecycle {
    # A failover exchanges the zones: no apply brings them back. The storage grows by itself.
    ignore_changes = [zone, high_availability[0].standby_availability_zone, storage_mb]

    # All regions live on it. To delete it, see docs/operations/terraform.md.
    prevent_destroy = true

    postcondition {
      condition     = self.storage_mb >= var.database.storage_mb
      error_message = "database.storage_mb was raised to ${var.database.storage_mb}, and the database has ${self.storage_mb}: Terraform leaves its size alone, since it grows by itself. Raise it with `az postgres flexible-server update --ids ${self.id} --storage-size ${floor(var.database.storage_mb / 1024)}`, and apply again."
    }
  }
}

resource "azurerm_postgresql_flexible_server_database" "this" {
  # A server that was restored or replicated has it.
  count = var.database.restore == null && !local.is_replica ? 1 : 0

  name      = "kvstore"
  server_id = azurerm_postgresql_flexible_server.this.id
  charset   = "UTF8"
  collation = "en_US.utf8"
}

resource "azurerm_postgresql_flexible_server_configuration" "this" {
  for_each = local.is_reading ? {} : {
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

  # Last, and taken away first: it would refuse the deletion of what is in the server.
  depends_on = [azurerm_postgresql_flexible_server_configuration.this, azurerm_postgresql_flexible_server_database.this]
}
