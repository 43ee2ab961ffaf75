mock_provider "azurerm" {}

variables {
  name                = "acme"
  location            = "germanywestcentral"
  resource_group_name = "kv-acme"
  principal_ids = {
    "eu-1" = "11111111-2222-3333-4444-555555555555"
    "us-1" = "11111111-2222-3333-4444-666666666666"
  }
  containers = {
    blocks = { container_id = "/subscriptions/0/resourceGroups/acme/providers/Microsoft.Storage/storageAccounts/acmekv/blobServices/default/containers/blocks" }
    copy   = { container_id = "/subscriptions/0/resourceGroups/acme/providers/Microsoft.Storage/storageAccounts/acmeus/blobServices/default/containers/blocks", access = "read", principals = ["eu-1"] }
  }
}

run "rights_on_single_containers" {
  assert {
    condition     = keys(output.role_assignment_ids) == ["blocks/eu-1", "blocks/us-1", "copy/eu-1"]
    error_message = "each identity for each container, unless it says which"
  }
  assert {
    condition     = azurerm_role_assignment.container["blocks/us-1"].role_definition_name == "Storage Blob Data Contributor" && azurerm_role_assignment.container["copy/eu-1"].role_definition_name == "Storage Blob Data Reader"
    error_message = "write and read are Azure's own roles"
  }
  assert {
    condition     = azurerm_role_assignment.container["blocks/us-1"].scope == var.containers.blocks.container_id && azurerm_role_assignment.container["blocks/us-1"].principal_id == var.principal_ids["us-1"]
    error_message = "the right is on the container alone"
  }
}

run "a_proof_lies_in_its_container" {
  variables {
    proofs = { blocks = { container = "copy", blob = "kv/v1/proof", content = "nonce" } }
  }
  assert {
    condition     = azurerm_storage_blob.proof["blocks"].storage_account_name == "acmeus" && azurerm_storage_blob.proof["blocks"].storage_container_name == "blocks"
    error_message = "account and container come from the container's id"
  }
  assert {
    condition     = azurerm_storage_blob.proof["blocks"].name == "kv/v1/proof" && azurerm_storage_blob.proof["blocks"].source_content == "nonce"
    error_message = "blob and content are those that KV Store gave"
  }
}

run "add_a_region" {
  variables {
    principal_ids = {
      "eu-1" = "11111111-2222-3333-4444-555555555555"
      "us-1" = "11111111-2222-3333-4444-666666666666"
      "ap-1" = "11111111-2222-3333-4444-777777777777"
    }
  }
  assert {
    condition     = keys(output.role_assignment_ids) == ["blocks/ap-1", "blocks/eu-1", "blocks/us-1", "copy/eu-1"]
    error_message = "the new region's identity gets its right beside the others"
  }
  assert {
    condition     = output.role_assignment_ids["blocks/eu-1"] == run.rights_on_single_containers.role_assignment_ids["blocks/eu-1"]
    error_message = "the others keep theirs"
  }
}

run "endpoints_of_storage" {
  variables {
    storage_endpoints = {
      own = {
        storage_account_id   = "/subscriptions/0/resourceGroups/acme/providers/Microsoft.Storage/storageAccounts/acmekv"
        subnet_id            = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/virtualNetworks/kv/subnets/endpoints"
        private_dns_zone_ids = ["/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/privateDnsZones/privatelink.blob.core.windows.net"]
      }
      others = {
        storage_account_id = "/subscriptions/1/resourceGroups/acme/providers/Microsoft.Storage/storageAccounts/acmeus"
        subnet_id          = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/virtualNetworks/kv/subnets/endpoints"
        approval_message   = "KV Store reads your cache"
      }
    }
  }
  assert {
    condition     = !azurerm_private_endpoint.storage["own"].private_service_connection[0].is_manual_connection && azurerm_private_endpoint.storage["others"].private_service_connection[0].is_manual_connection
    error_message = "the owner of another account has to approve"
  }
  assert {
    condition     = length(azurerm_private_endpoint.storage["own"].private_dns_zone_group) == 1 && length(azurerm_private_endpoint.storage["others"].private_dns_zone_group) == 0
    error_message = "the zone is set where it is given"
  }
  assert {
    condition     = azurerm_private_endpoint.storage["own"].private_service_connection[0].subresource_names[0] == "blob"
    error_message = "blocks are blobs"
  }
}

run "rights_on_a_whole_account_are_refused" {
  command = plan
  variables {
    containers = { all = { container_id = "/subscriptions/0/resourceGroups/acme/providers/Microsoft.Storage/storageAccounts/acmekv" } }
  }
  expect_failures = [var.containers]
}

run "a_right_that_there_is_not_is_refused" {
  command = plan
  variables {
    containers = { blocks = { container_id = "/subscriptions/0/resourceGroups/acme/providers/Microsoft.Storage/storageAccounts/acmekv/blobServices/default/containers/blocks", access = "owner" } }
  }
  expect_failures = [var.containers]
}

run "containers_for_nobody_are_refused" {
  command = plan
  variables {
    principal_ids = {}
    containers    = { blocks = { container_id = "/subscriptions/0/resourceGroups/acme/providers/Microsoft.Storage/storageAccounts/acmekv/blobServices/default/containers/blocks" } }
  }
  expect_failures = [var.containers]
}

run "a_principal_that_is_not_named_is_refused" {
  command = plan
  variables {
    containers = { blocks = { container_id = "/subscriptions/0/resourceGroups/acme/providers/Microsoft.Storage/storageAccounts/acmekv/blobServices/default/containers/blocks", principals = ["ap-1"] } }
  }
  expect_failures = [var.containers]
}

run "a_resource_id_is_no_principal" {
  command = plan
  variables {
    principal_ids = { "eu-1" = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.ManagedIdentity/userAssignedIdentities/kv" }
    containers    = {}
  }
  expect_failures = [var.principal_ids]
}

run "a_proof_of_no_container_is_refused" {
  command = plan
  variables {
    proofs = { blocks = { container = "other", blob = "b", content = "c" } }
  }
  expect_failures = [var.proofs]
}

run "an_endpoint_of_a_container_is_refused" {
  command = plan
  variables {
    storage_endpoints = { a = { storage_account_id = "acmekv", subnet_id = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/virtualNetworks/kv/subnets/endpoints" } }
  }
  expect_failures = [var.storage_endpoints]
}

run "a_location_for_people" {
  command = plan
  variables {
    location = "Germany West Central"
  }
  expect_failures = [var.location]
}

run "a_resource_group_by_its_id" {
  command = plan
  variables {
    resource_group_name = "/subscriptions/0/resourceGroups/kv"
  }
  expect_failures = [var.resource_group_name]
}
