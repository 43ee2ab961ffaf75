mock_provider "kvstore" {}

variables {
  # Terraform 1.11 tests want an ephemeral variable of the module under test to be set.
  key_secrets        = {}
  join_token_secrets = {}
  region             = { name = "eu-1", display_name = "Frankfurt", round_trips = { "us-1" = 85000 } }
  clusters = {
    "eu-1-a" = { addresses = ["10.1.0.0/20:8085-8099"], join_tokens = { "2026-11" = {} } }
  }
}

run "a_region_its_clusters_and_their_tokens" {
  assert {
    condition     = kvstore_region.this[0].name == "eu-1" && kvstore_region.this[0].display_name == "Frankfurt"
    error_message = "the region has its names"
  }
  assert {
    condition     = kvstore_round_trip.this["us-1"].region == "eu-1" && kvstore_round_trip.this["us-1"].micros == 85000
    error_message = "the way to the other region is registered"
  }
  assert {
    condition     = kvstore_cluster.this["eu-1-a"].region == "eu-1" && kvstore_cluster.this["eu-1-a"].state == "active"
    error_message = "the cluster is of the region, and takes calls"
  }
  assert {
    condition     = kvstore_join_token.this["eu-1-a/2026-11"].cluster == "eu-1-a" && kvstore_join_token.this["eu-1-a/2026-11"].label == "2026-11"
    error_message = "the token is of the cluster, and called as it is here"
  }
  assert {
    condition     = keys(output.join_tokens) == ["eu-1-a/2026-11"]
    error_message = "the tokens are there by cluster and name"
  }
}

run "a_drain_is_no_matter_of_an_apply" {
  variables {
    clusters = {
      "eu-1-a" = { addresses = ["10.1.0.0/20:8085-8099"], initial_state = "provisioning", join_tokens = { "2026-11" = {} } }
    }
  }
  assert {
    condition     = kvstore_cluster.this["eu-1-a"].state == "active"
    error_message = "the state stays as the last run, or an operator, left it"
  }
}

run "rotate_by_a_second_token" {
  variables {
    clusters = {
      "eu-1-a" = { addresses = ["10.1.0.0/20:8085-8099"], join_tokens = { "2026-11" = {}, "2027-05" = { expires_at = "2028-01-01T00:00:00Z" } } }
    }
  }
  assert {
    condition     = kvstore_join_token.this["eu-1-a/2026-11"].id == run.a_region_its_clusters_and_their_tokens.join_token_ids["eu-1-a/2026-11"]
    error_message = "the first token stays while the second is handed out"
  }
  assert {
    condition     = kvstore_join_token.this["eu-1-a/2027-05"].expires_at == "2028-01-01T00:00:00Z"
    error_message = "the second token ends when it should"
  }
}

run "a_secret_of_ones_own_is_in_no_output" {
  variables {
    clusters = {
      "eu-1-a" = { addresses = ["10.1.0.0/20:8085-8099"], join_tokens = { "2026-11" = {}, "2027-11" = { secret_version = 1 } } }
    }
    join_token_secrets = { "eu-1-a/2027-11" = "0123456789012345678901234567890123456789012" }
  }
  assert {
    condition     = kvstore_join_token.this["eu-1-a/2027-11"].secret_wo_version == 1 && keys(output.join_tokens) == ["eu-1-a/2026-11"]
    error_message = "only the token whose secret the control plane made is there as a whole"
  }
  assert {
    condition     = keys(output.join_token_ids) == ["eu-1-a/2026-11", "eu-1-a/2027-11"]
    error_message = "the ids of both are there"
  }
}

run "add_a_cluster" {
  variables {
    clusters = {
      "eu-1-a" = { addresses = ["10.1.0.0/20:8085-8099"], join_tokens = { "2027-05" = {} } }
      "eu-1-b" = { addresses = ["10.1.16.0/20:8085-8099"], advertised_address = "eu-1-b.kv.example.com" }
    }
  }
  assert {
    condition     = output.clusters == toset(["eu-1-a", "eu-1-b"]) && keys(output.join_tokens) == ["eu-1-a/2027-05"]
    error_message = "the second cluster is there, and the old token is gone"
  }
  assert {
    condition     = kvstore_cluster.this["eu-1-b"].advertised_address == "eu-1-b.kv.example.com"
    error_message = "clients of the second cluster go to its balancer"
  }
}

run "a_region_needs_a_name_as_others_have" {
  command = plan
  variables {
    region   = { name = "EU 1" }
    clusters = {}
  }
  expect_failures = [var.region]
}

run "a_round_trip_in_milliseconds_is_refused" {
  command = plan
  variables {
    region = { name = "eu-1", round_trips = { "us-1" = 0.085 } }
  }
  expect_failures = [var.region]
}

run "a_round_trip_to_itself_is_refused" {
  command = plan
  variables {
    region = { name = "eu-1", round_trips = { "eu-1" = 100 } }
  }
  expect_failures = [var.region]
}

run "a_cluster_without_region_is_refused" {
  command = plan
  variables {
    region = null
  }
  expect_failures = [var.clusters]
}

run "a_cluster_without_addresses_is_refused" {
  command = plan
  variables {
    clusters = { "eu-1-a" = { addresses = [] } }
  }
  expect_failures = [var.clusters]
}

run "a_drain_by_terraform_is_refused" {
  command = plan
  variables {
    clusters = { "eu-1-a" = { addresses = ["*"], initial_state = "draining" } }
  }
  expect_failures = [var.clusters]
}

run "a_token_that_ends_at_no_time_is_refused" {
  command = plan
  variables {
    clusters = { "eu-1-a" = { addresses = ["*"], join_tokens = { a = { expires_at = "next year" } } } }
  }
  expect_failures = [var.clusters]
}

run "a_version_without_secret_is_refused" {
  command = plan
  variables {
    clusters = { "eu-1-a" = { addresses = ["*"], join_tokens = { a = { secret_version = 1 } } } }
  }
  expect_failures = [var.join_token_secrets]
}

run "a_secret_of_no_token_is_refused" {
  command = plan
  variables {
    join_token_secrets = { "eu-1-a/other" = "0123456789012345678901234567890123456789012" }
  }
  expect_failures = [var.join_token_secrets]
}

run "a_short_secret_is_refused" {
  command = plan
  variables {
    clusters           = { "eu-1-a" = { addresses = ["*"], join_tokens = { a = { secret_version = 1 } } } }
    join_token_secrets = { "eu-1-a/a" = "hunter2" }
  }
  expect_failures = [var.join_token_secrets]
}
