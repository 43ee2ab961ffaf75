locals {
  secrets = "/run/kv-secrets"

  # Machines read only their own key vault, as the identity that is made here.
  secrets_flags = concat(
    ["--vault", "https://${element(split("/", var.key_vault_id), 8)}.${var.key_vault_dns_suffix}"],
    ["--file", "${var.secret_names.join_token}=${local.secrets}/join-token"],
    var.plaintext ? [] : ["--file", "${var.secret_names.certificate}=${local.secrets}/tls.pem"],
    length(var.managed_identities.user_assigned_resource_ids) == 0 ? [] : ["--identity", azurerm_user_assigned_identity.this.client_id],
  )

  node_flags = concat(
    ["--control-plane", var.control_plane_endpoint, "--region", var.kvstore_region, "--cluster", coalesce(var.kvstore_cluster, var.name)],
    ["--join-token-file", "${local.secrets}/join-token"],
    var.first_port == 8085 ? [] : ["--port", tostring(var.first_port)],
    ["--advertise", "{hostname}.${local.zone_name}:${var.first_port}"],
    var.plaintext ? ["--plaintext"] : ["--tls-cert", "${local.secrets}/tls.pem", "--tls-key", "${local.secrets}/tls.pem"],
    # The load balancer probes health at the machine's address.
    ["--http-host", "0.0.0.0", "--azure-scheduled-events"],
    # Calls to storage leave by all cards in turn.
    var.network_interface_count == 1 ? [] : ["--enable-multi-nic"],
    var.node_flags,
  )

  settings = merge(
    # Two probes of 5 s and a reserve, until the load balancer sends no new connections to a machine that drains.
    { KVSTORE_DRAIN_GRACE_PERIOD = "15s" },
    var.disk_tier == null ? {} : { KVSTORE_DISK_TIER_PATH = "/mnt/kv", KVSTORE_DISK_TIER_SIZE = local.disk_tier_size },
    var.certificate_authorities == null ? {} : { KVSTORE_CONTROL_PLANE_CA = "/etc/kv/ca.pem", KVSTORE_PEER_CA = "/etc/kv/ca.pem" },
    var.private_link == null ? {} : { KVSTORE_PROXY_PROTOCOL_FROM = var.private_link.subnet_address_prefix },
    var.settings,
  )

  # The default size has six local disks; of another, one for each data plane is taken for granted.
  devices = var.disk_tier == null ? [] : coalesce(var.disk_tier.devices, [
    for index in range(var.sku_name == "Standard_FX96mds_v2" ? 6 : var.numa_node_count) : "local/${index + 1}"
  ])
  # Data planes use numa-0, numa-1, ... below the folder of the disk tier: one disk for all, a disk of its own for each, or
  # several, which are disk-0, disk-1, ... below that.
  disks_each = floor(length(local.devices) / var.numa_node_count)
  disks = [for index, device in local.devices : {
    device = device
    folder = (
      length(local.devices) == 1 ? "/mnt/kv" :
      local.disks_each == 1 ? "/mnt/kv/numa-${index}" :
      "/mnt/kv/numa-${index % var.numa_node_count}/disk-${floor(index / var.numa_node_count)}"
    )
  }]
  # A data plane has files of its own beside its disks.
  disk_folders = distinct(flatten([
    for disk in local.disks : local.disks_each > 1 ? [dirname(disk.folder), disk.folder] : [disk.folder]
  ]))
  # Of disks of 880 GiB.
  disk_tier_size = var.disk_tier == null ? "0" : coalesce(var.disk_tier.size, "${floor(800 * length(local.devices) / var.numa_node_count)}G")

  metrics = var.metrics == null ? "" : trimspace(templatefile("${path.module}/../../../deploy/machine/metrics.yaml.tftpl", {
    job              = "kvstore-data-plane"
    scheme           = var.plaintext ? "http" : "https"
    ports            = [for port in values(local.ports) : port + local.http_above]
    labels           = { region = var.kvstore_region, cluster = coalesce(var.kvstore_cluster, var.name) }
    remote_write_url = var.metrics.remote_write_url
  }))

  cloud_init = templatefile("${path.module}/templates/cloud-init.yaml.tftpl", {
    node_flags    = join(" ", local.node_flags)
    secrets_flags = join(" ", local.secrets_flags)
    settings      = local.settings
    authorities   = var.certificate_authorities == null ? "" : trimspace(var.certificate_authorities)
    disks         = local.disks
    disk_folders  = local.disk_folders
    units         = concat(["kv-secrets", "kv-node"], var.network_interface_count == 1 ? [] : ["kv-cards"])
    metrics       = local.metrics
  })

  configuration = templatefile("${path.module}/../../../deploy/machine/kv-configure.tftpl", {
    files = yamldecode(local.cloud_init).write_files
    unit  = "kv-node"
  })
}
