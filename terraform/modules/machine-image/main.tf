resource "azurerm_shared_image_gallery" "this" {
  name                = var.gallery_name
  location            = var.location
  resource_group_name = var.resource_group_name
  description         = "Images of KV Store's machines."
  tags                = var.tags
}

resource "azurerm_shared_image" "this" {
  name                = var.name
  gallery_name        = azurerm_shared_image_gallery.this.name
  location            = var.location
  resource_group_name = var.resource_group_name
  description         = "Machines of KV Store's control plane and data planes."
  os_type             = "Linux"
  architecture        = var.architecture
  hyper_v_generation  = "V2"
  # Sizes such as FXmds_v2 start from NVMe alone.
  disk_controller_type_nvme_enabled   = true
  accelerated_network_support_enabled = true
  # Good for machines with Trusted Launch and without it: azurerm 4.73 cannot ask for it in a flexible scale set.
  trusted_launch_supported = true
  tags                     = var.tags

  identifier {
    publisher = "kvstore"
    offer     = "machine"
    sku       = "${var.name}-${lower(var.architecture)}"
  }
}
