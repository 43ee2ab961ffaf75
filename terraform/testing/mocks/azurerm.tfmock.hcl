# Ids of the form that Azure gives, since modules refuse others. Tests assert on nothing that stands here.

mock_resource "azurerm_resource_group" {
  defaults = {
    id = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mocked"
  }
}
