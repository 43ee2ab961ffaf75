mock_provider "azurerm" {
  source = "../../testing/mocks"

  override_resource {
    target = azurerm_shared_image_gallery.this
    values = { id = "/subscriptions/the-subscription/resourceGroups/rg-images/providers/Microsoft.Compute/galleries/kv" }
  }
}

variables {
  gallery_name        = "kv"
  location            = "northeurope"
  resource_group_name = "rg-images"
  machine_locations   = ["westeurope", "eastus2"]
}

run "machines_that_start_from_nvme_take_the_image" {
  assert {
    condition     = azurerm_shared_image.this.disk_controller_type_nvme_enabled && azurerm_shared_image.this.hyper_v_generation == "V2"
    error_message = "Sizes such as Standard_FX96mds_v2 are of generation 2 and have no SCSI."
  }

  assert {
    condition     = azurerm_shared_image.this.accelerated_network_support_enabled && azurerm_shared_image.this.trusted_launch_supported
    error_message = "Accelerated network cards and Trusted Launch are allowed."
  }
}

run "packer_is_told_all_locations" {
  assert {
    condition     = output.packer_variables.target_locations == tolist(["eastus2", "northeurope", "westeurope"])
    error_message = "Locations of machines and that of the gallery, each once."
  }

  assert {
    condition     = output.packer_variables.subscription_id == "the-subscription" && output.packer_variables.gallery_name == "kv" && output.packer_variables.image_name == "kvstore" && output.packer_variables.location == "northeurope"
    error_message = "Packer publishes into this gallery."
  }
}

run "images_for_arm" {
  variables {
    architecture = "Arm64"
  }

  assert {
    condition     = azurerm_shared_image.this.architecture == "Arm64" && output.packer_variables.architecture == "Arm64" && azurerm_shared_image.this.identifier[0].sku == "kvstore-arm64"
    error_message = "Definition and Packer's variables name the architecture; a gallery may have a definition for each."
  }
}

run "a_gallery_with_a_hyphen" {
  command = plan

  variables {
    gallery_name = "kv-images"
  }

  expect_failures = [var.gallery_name]
}

run "a_location_in_words" {
  command = plan

  variables {
    machine_locations = ["West Europe"]
  }

  expect_failures = [var.machine_locations]
}

run "another_architecture" {
  command = plan

  variables {
    architecture = "arm64"
  }

  expect_failures = [var.architecture]
}
