output "resource_id" {
  description = "Id of the image definition. That of a version is `RESOURCE_ID/versions/VERSION`: the `source_image_id` of clusters and control plane."
  value       = azurerm_shared_image.this.id
}

output "name" {
  description = "Name of the image definition."
  value       = azurerm_shared_image.this.name
}

output "packer_variables" {
  description = "Variables of the Packer template `deploy/machine/image/kvstore.pkr.hcl`; `archive` and `image_version` are for each build."
  value = {
    subscription_id     = local.subscription_id
    resource_group_name = var.resource_group_name
    gallery_name        = azurerm_shared_image_gallery.this.name
    image_name          = azurerm_shared_image.this.name
    location            = var.location
    target_locations    = sort(setunion([var.location], var.machine_locations))
    architecture        = var.architecture
  }
}
