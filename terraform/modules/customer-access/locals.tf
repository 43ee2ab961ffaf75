locals {
  roles = { read = "Storage Blob Data Reader", write = "Storage Blob Data Contributor" }

  rights = merge([for name, container in var.containers : {
    for principal in coalesce(container.principals, keys(var.principal_ids)) : "${name}/${principal}" => {
      scope     = container.container_id
      role      = local.roles[container.access]
      principal = var.principal_ids[principal]
    }
  }]...)

  container_parts = {
    for name, container in var.containers : name => regex("(?i)/storageAccounts/(?P<account>[^/]+)/blobServices/default/containers/(?P<container>[^/]+)$", container.container_id)
  }

  named = { for name, endpoint in var.service_endpoints : name => {
    zone   = join(".", slice(split(".", endpoint.host), 1, length(split(".", endpoint.host))))
    record = split(".", endpoint.host)[0]
  } if endpoint.host != null }

  # A zone of one name, whatever number of endpoints are in it.
  zones = toset([for named in local.named : named.zone])

  zone_links = merge([for name, named in local.named : {
    for network, id in var.service_endpoints[name].virtual_network_ids : "${named.zone}/${network}" => { zone = named.zone, network = network, id = id }
  }]...)
}
