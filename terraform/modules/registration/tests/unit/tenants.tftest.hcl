mock_provider "kvstore" {}

variables {
  # Terraform 1.11 tests want an ephemeral variable of the module under test to be set.
  key_secrets        = {}
  join_token_secrets = {}
  tenants            = { acme = { display_name = "Acme" }, models = {} }
  accounts = {
    "acme-cache" = {
      tenant     = "acme"
      replicas   = { "eu-1" = { endpoint = "https://acmekv.blob.core.windows.net", container = "blocks", vouched = true } }
      limits     = { operations = 200 }
      placements = { "eu-1" = { cluster = "eu-1-a" } }
    }
  }
  keys   = { engines = { tenant = "models" } }
  grants = { "acme-cache/inference" = { grantee = "models", access = ["read", "write"], key = "engines" } }
}

run "a_tenant_its_account_and_who_may_use_it" {
  assert {
    condition     = kvstore_account.this["acme-cache"].tenant == "acme" && kvstore_account.this["acme-cache"].deletion_protection
    error_message = "the account is the tenant's, and protected"
  }
  assert {
    condition     = kvstore_account.this["acme-cache"].replicas["eu-1"].credential == "managed-identity"
    error_message = "data planes use their managed identity unless told otherwise"
  }
  assert {
    condition     = kvstore_account_limits.this["acme-cache"].operations == 200 && kvstore_account_limits.this["acme-cache"].bytes_per_second == 0
    error_message = "the limits are those given"
  }
  assert {
    condition     = kvstore_placement.this["acme-cache/eu-1"].cluster == "eu-1-a"
    error_message = "the account is placed"
  }
  assert {
    condition     = kvstore_grant.this["acme-cache/inference"].grantee == "models" && kvstore_grant.this["acme-cache/inference"].key_id == kvstore_key.this["engines"].id
    error_message = "one key of the other tenant may use the account"
  }
  assert {
    condition     = output.ready == toset(["acme-cache"])
    error_message = "an account that an admin vouches for is waited for"
  }
}

run "an_account_that_has_to_be_proven_is_not_waited_for" {
  variables {
    accounts = {
      "acme-cache" = { tenant = "acme", replicas = { "eu-1" = { endpoint = "https://acmekv.blob.core.windows.net", container = "blocks" } } }
    }
  }
  assert {
    condition     = length(kvstore_account_ready.this) == 0 && keys(output.proofs) == ["acme-cache"]
    error_message = "the owner puts its proof into the container first"
  }
}

run "tenants_and_accounts_from_elsewhere_are_named" {
  variables {
    tenants  = {}
    accounts = {}
    grants   = { "others-cache/inference" = { grantee = "models", key_id = "k3v9x0q2m7ab" } }
    keys     = { engines = { tenant = "models" } }
  }
  assert {
    condition     = kvstore_grant.this["others-cache/inference"].account == "others-cache" && kvstore_key.this["engines"].tenant == "models"
    error_message = "what is registered elsewhere is used by name"
  }
  assert {
    condition     = kvstore_grant.this["others-cache/inference"].access == toset(["read"])
    error_message = "a grant reads unless it says more"
  }
}

run "a_secret_of_ones_own_is_in_no_output" {
  variables {
    keys        = { engines = { tenant = "models", secret_version = 1 } }
    key_secrets = { engines = "0123456789012345678901234567890123456789012" }
  }
  assert {
    condition     = kvstore_key.this["engines"].secret_wo_version == 1 && length(output.keys) == 0 && keys(output.key_ids) == ["engines"]
    error_message = "the key's id is there, and its secret is not"
  }
}

run "rotate_a_key" {
  variables {
    keys        = { engines = { tenant = "models", secret_version = 2, rotation_overlap = "1h" } }
    key_secrets = { engines = "2222222222222222222222222222222222222222222" }
  }
  assert {
    condition     = kvstore_key.this["engines"].secret_wo_version == 2 && kvstore_key.this["engines"].rotation_overlap == "1h"
    error_message = "the version says that there is a new secret"
  }
}

run "add_a_region_to_an_account" {
  variables {
    accounts = {
      "acme-cache" = {
        tenant      = "acme"
        home_region = "eu-1"
        replicas = {
          "eu-1" = { endpoint = "https://acmekv.blob.core.windows.net", container = "blocks", vouched = true }
          "us-1" = { endpoint = "https://acmekvus.blob.core.windows.net", container = "blocks", vouched = true }
        }
        read_through = { from = "eu-1" }
      }
    }
  }
  assert {
    condition     = join(",", keys(kvstore_account.this["acme-cache"].replicas)) == "eu-1,us-1" && join(",", keys(kvstore_account_ready.this["acme-cache"].triggers)) == "eu-1,us-1"
    error_message = "the second replica is there, and waited for"
  }
}

run "a_second_replica_needs_a_home" {
  command = plan
  variables {
    accounts = { a = { tenant = "acme", replicas = {
      "eu-1" = { endpoint = "https://a.blob.core.windows.net", container = "blocks" }
      "us-1" = { endpoint = "https://b.blob.core.windows.net", container = "blocks" }
    } } }
    grants = {}
  }
  expect_failures = [var.accounts]
}

run "a_home_without_replica_is_refused" {
  command = plan
  variables {
    accounts = { a = { tenant = "acme", home_region = "ap-1", replicas = { "eu-1" = { endpoint = "https://a.blob.core.windows.net", container = "blocks" } } } }
    grants   = {}
  }
  expect_failures = [var.accounts]
}

run "a_secret_in_the_configuration_is_refused" {
  command = plan
  variables {
    accounts = { a = { tenant = "acme", replicas = { "eu-1" = { endpoint = "https://a.blob.core.windows.net", container = "blocks", credential = "AccountName=a;AccountKey=abc" } } } }
    grants   = {}
  }
  expect_failures = [var.accounts]
}

run "an_endpoint_without_container_is_refused" {
  command = plan
  variables {
    accounts = { a = { tenant = "acme", replicas = { "eu-1" = { endpoint = "https://a.blob.core.windows.net" } } } }
    grants   = {}
  }
  expect_failures = [var.accounts]
}

run "reading_through_a_region_without_replica_is_refused" {
  command = plan
  variables {
    accounts = { a = { tenant = "acme", read_through = { from = "us-1" }, replicas = { "eu-1" = { endpoint = "https://a.blob.core.windows.net", container = "blocks" } } } }
    grants   = {}
  }
  expect_failures = [var.accounts]
}

run "a_grant_needs_account_and_name" {
  command = plan
  variables {
    grants = { "inference" = { grantee = "models" } }
  }
  expect_failures = [var.grants]
}

run "a_grant_to_the_owner_is_refused" {
  command = plan
  variables {
    grants = { "acme-cache/self" = { grantee = "acme" } }
  }
  expect_failures = [var.grants]
}

run "a_grant_to_a_key_that_is_not_made_here_is_refused" {
  command = plan
  variables {
    grants = { "acme-cache/inference" = { grantee = "models", key = "unknown" } }
  }
  expect_failures = [var.grants]
}

run "a_grant_of_a_right_that_there_is_not_is_refused" {
  command = plan
  variables {
    grants = { "acme-cache/inference" = { grantee = "models", access = ["admin"] } }
  }
  expect_failures = [var.grants]
}

run "a_state_that_tenants_do_not_have_is_refused" {
  command = plan
  variables {
    tenants = { acme = { state = "off" }, models = {} }
  }
  expect_failures = [var.tenants]
}

run "a_version_without_secret_is_refused" {
  command = plan
  variables {
    keys = { engines = { tenant = "models", secret_version = 1 } }
  }
  expect_failures = [var.key_secrets]
}

run "a_short_secret_is_refused" {
  command = plan
  variables {
    keys        = { engines = { tenant = "models", secret_version = 1 } }
    key_secrets = { engines = "hunter2" }
  }
  expect_failures = [var.key_secrets]
}

run "warm_another_region" {
  variables {
    accounts = {
      "acme-cache" = {
        tenant      = "acme"
        home_region = "eu-1"
        replicas = {
          "eu-1" = { endpoint = "https://acmekv.blob.core.windows.net", container = "blocks", vouched = true }
          "us-1" = { endpoint = "https://acmekvus.blob.core.windows.net", container = "blocks", vouched = true }
        }
      }
    }
    warmings = {
      often  = { account = "acme-cache", from = "eu-1", to = "us-1", select = { used = true }, every_seconds = 10 }
      daily  = { account = "acme-cache", from = "eu-1", to = "us-1", select = { all = true }, every_seconds = 86400, bytes_per_second = 20000000, preheat = "disk" }
      others = { account = "others-cache", from = "eu-1", to = "us-1", select = { partition = "model/1", block_tokens = 64 }, every_seconds = 3600 }
    }
  }
  assert {
    condition     = kvstore_warming.this["often"].account == kvstore_account_ready.this["acme-cache"].account && kvstore_warming.this["often"].select.used
    error_message = "an account that is waited for is ready before it is warmed"
  }
  assert {
    condition     = kvstore_warming.this["daily"].bytes_per_second == 20000000 && kvstore_warming.this["daily"].preheat == "disk"
    error_message = "rate and preheat are those given"
  }
  assert {
    condition     = kvstore_warming.this["others"].account == "others-cache" && kvstore_warming.this["others"].select.block_tokens == 64 && kvstore_warming.this["often"].preheat == "storage"
    error_message = "an account of elsewhere is named"
  }
  assert {
    condition     = keys(output.warming_ids) == ["daily", "often", "others"]
    error_message = "the ids are there by name"
  }
}

run "a_warming_of_a_region_from_itself_is_refused" {
  command = plan
  variables {
    warmings = { often = { account = "others-cache", from = "eu-1", to = "eu-1", select = { used = true }, every_seconds = 10 } }
  }
  expect_failures = [var.warmings]
}

run "a_warming_of_two_selections_is_refused" {
  command = plan
  variables {
    warmings = { often = { account = "others-cache", from = "eu-1", to = "us-1", select = { used = true, all = true }, every_seconds = 86400 } }
  }
  expect_failures = [var.warmings]
}

run "a_warming_of_nothing_is_refused" {
  command = plan
  variables {
    warmings = { often = { account = "others-cache", from = "eu-1", to = "us-1", select = {}, every_seconds = 86400 } }
  }
  expect_failures = [var.warmings]
}

run "a_selection_that_is_off_is_refused" {
  command = plan
  variables {
    warmings = { often = { account = "others-cache", from = "eu-1", to = "us-1", select = { used = false }, every_seconds = 10 } }
  }
  expect_failures = [var.warmings]
}

run "block_tokens_without_partition_are_refused" {
  command = plan
  variables {
    warmings = { often = { account = "others-cache", from = "eu-1", to = "us-1", select = { used = true, block_tokens = 64 }, every_seconds = 10 } }
  }
  expect_failures = [var.warmings]
}

run "a_storage_that_is_listed_too_often_is_refused" {
  command = plan
  variables {
    warmings = { often = { account = "others-cache", from = "eu-1", to = "us-1", select = { all = true }, every_seconds = 600 } }
  }
  expect_failures = [var.warmings]
}

run "a_preheat_that_there_is_not_is_refused" {
  command = plan
  variables {
    warmings = { often = { account = "others-cache", from = "eu-1", to = "us-1", select = { used = true }, every_seconds = 10, preheat = "gpu" } }
  }
  expect_failures = [var.warmings]
}

run "a_warming_into_a_region_without_replica_is_refused" {
  command = plan
  variables {
    warmings = { often = { account = "acme-cache", from = "eu-1", to = "us-1", select = { used = true }, every_seconds = 10 } }
  }
  expect_failures = [var.warmings]
}
