locals {
  # As the chart calls what it makes.
  release = strcontains(var.release.name, "kvstore") ? var.release.name : "${var.release.name}-kvstore"

  taint = { key = "kvstore.dev/plane", value = "data", effect = "NoSchedule" }
  label = { "kvstore.dev/plane" = "data" }

  helm_values = templatefile("${path.module}/templates/values.yaml.tftpl", {
    images        = var.images
    region        = var.region
    cluster       = var.cluster
    domain        = var.domain
    control_plane = var.control_plane
    data_planes   = var.data_planes
    client_id     = azurerm_user_assigned_identity.this.client_id
    label         = local.label
    taint         = local.taint
  })
}
