locals {
  # Names, types and ranges, of the programs themselves.
  known_settings = jsondecode(file("${path.module}/../../../deploy/helm/kvstore/settings.json"))

  grpc_port = 9090
  rest_port = 8080

  with_machines = var.machines != null
  with_link     = var.private_link != null || var.front_door != null
  zone_of_host  = var.private_dns_zone_ids.host == null ? null : reverse(split("/", var.private_dns_zone_ids.host))[0]

  # A replica is read-only until it is promoted.
  is_replica = var.database.replica != null
  is_reading = local.is_replica && !try(var.database.replica.promoted, false)

  front_door_name = coalesce(try(var.front_door.name, null), var.name)

  jdbc_url = "jdbc:postgresql://${azurerm_postgresql_flexible_server.this.fqdn}/kvstore?sslmode=verify-full"

  # Locations that Azure pairs with no other, or whose databases have no copy of their backups there.
  locations_without_pair = [
    "austriaeast", "belgiumcentral", "chilecentral", "denmarkeast", "indonesiacentral", "israelcentral", "italynorth", "malaysiawest", "mexicocentral",
    "newzealandnorth", "polandcentral", "qatarcentral", "spaincentral", "westus3",
  ]

  # What the machines read from the key vault as one file of variables.
  environment_secret = "control-plane-env"

  oidc = var.oidc == null ? {} : {
    KVSTORE_OIDC_ENABLED  = "true"
    KVSTORE_OIDC_ISSUER   = var.oidc.issuer
    KVSTORE_OIDC_AUDIENCE = var.oidc.audience
  }

  metrics = var.metrics == null ? "" : trimspace(templatefile("${path.module}/../../../deploy/machine/metrics.yaml.tftpl", {
    job              = "kvstore-control-plane"
    scheme           = "https"
    ports            = [local.rest_port]
    labels           = {}
    remote_write_url = var.metrics.remote_write_url
  }))

  cloud_init = templatefile("${path.module}/templates/cloud-init.yaml.tftpl", {
    jdbc_url           = "${local.jdbc_url}&sslrootcert=/etc/ssl/certs/ca-certificates.crt"
    user               = var.database.administrator_login
    vault_uri          = trimsuffix(azurerm_key_vault.this.vault_uri, "/")
    identity_client_id = azurerm_user_assigned_identity.this.client_id
    certificate        = var.key_vault.tls_certificate
    environment_secret = local.environment_secret
    settings           = merge({ KVSTORE_OPEN_METRICS = "true" }, local.oidc, var.settings)
    metrics            = local.metrics
  })

  configuration = templatefile("${path.module}/../../../deploy/machine/kv-configure.tftpl", {
    files = yamldecode(local.cloud_init).write_files
    unit  = "kv-control-plane"
  })

  diagnosed = merge([for name, setting in var.diagnostic_settings : {
    "postgresql/${name}" = merge(setting, { key = name, target = azurerm_postgresql_flexible_server.this.id })
    "key-vault/${name}"  = merge(setting, { key = name, target = azurerm_key_vault.this.id })
  }]...)
}
