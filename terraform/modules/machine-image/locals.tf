locals {
  # Azure's ids begin /subscriptions/ID.
  subscription_id = element(split("/", azurerm_shared_image_gallery.this.id), 2)
}
