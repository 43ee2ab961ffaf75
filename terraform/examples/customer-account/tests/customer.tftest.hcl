mock_provider "azurerm" { source = "../../testing/mocks" }
mock_provider "kvstore" {}

# What the control plane would say: where the proof belongs.
override_module {
  target = module.registration
  outputs = {
    proofs = { "acme-cache" = { "eu-1" = { blob = "kv/v1/proof", content = "nonce" } } }
    keys   = { engines = "kv_id_secret" }
  }
}

variables {
  tenant               = "acme"
  account              = "acme-cache"
  storage_account_name = "acmekvcache"
  location             = "germanywestcentral"
  region               = "eu-1"
  principal_ids        = { "eu-1-a" = "11111111-2222-3333-4444-555555555555", "eu-1-b" = "11111111-2222-3333-4444-666666666666" }
}

run "storage_without_keys_and_without_public_access" {
  variables {
    applied_from_network = true
  }
  assert {
    condition     = !azurerm_storage_account.this.shared_access_key_enabled && !azurerm_storage_account.this.public_network_access_enabled && !azurerm_storage_account.this.allow_nested_items_to_be_public
    error_message = "Entra ID alone, from the network alone"
  }
  assert {
    condition     = azurerm_storage_management_policy.this.rule[0].filters[0].prefix_match == toset(["blocks/kv/v1/"])
    error_message = "old blocks go, and nothing else"
  }
  assert {
    condition     = output.account == "acme-cache" && keys(kvstore_account_ready.this.triggers) == tolist(["proof", "rights"])
    error_message = "the account is waited for after proof and rights"
  }
}

run "others_may_use_it" {
  variables {
    grants      = { models = ["read", "write"] }
    allowed_ips = ["203.0.113.7"]
  }
  assert {
    condition     = azurerm_storage_account.this.public_network_access_enabled && azurerm_storage_account.this.network_rules[0].default_action == "Deny"
    error_message = "only the addresses that are named"
  }
}

run "nobody_who_could_write_the_proof" {
  command         = plan
  expect_failures = [var.allowed_ips]
}

run "a_name_that_azure_does_not_take" {
  command = plan
  variables {
    applied_from_network = true
    storage_account_name = "acme-cache"
  }
  expect_failures = [var.storage_account_name]
}
