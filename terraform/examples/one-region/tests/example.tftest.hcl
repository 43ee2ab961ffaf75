mock_provider "azurerm" {
  source = "../../testing/mocks"

  # Ids whose names count: of zones, a name is read from its id.
  override_resource {
    target = module.region.azurerm_private_dns_zone.this["postgres"]
    values = { id = "/subscriptions/s/resourceGroups/rg-eu-1/providers/Microsoft.Network/privateDnsZones/eu-1.private.postgres.database.azure.com" }
  }
  override_resource {
    target = module.region.azurerm_subnet.this["link"]
    values = { id = "/subscriptions/s/resourceGroups/rg-eu-1/providers/Microsoft.Network/virtualNetworks/vnet-eu-1/subnets/link" }
  }
  override_resource {
    target = module.region.azurerm_private_dns_zone.this["vault"]
    values = { id = "/subscriptions/s/resourceGroups/rg-eu-1/providers/Microsoft.Network/privateDnsZones/privatelink.vaultcore.azure.net" }
  }
  override_resource {
    target = module.region.azurerm_private_dns_zone.this["data_planes"]
    values = { id = "/subscriptions/s/resourceGroups/rg-eu-1/providers/Microsoft.Network/privateDnsZones/eu-1.kv.internal" }
  }
}

mock_provider "kvstore" {}

variables {
  subscription_id    = "00000000-0000-0000-0000-000000000000"
  control_plane_name = "kv-eu-control"
  image_id           = "/subscriptions/s/resourceGroups/images/providers/Microsoft.Compute/galleries/kv/images/node/versions/1.4.0"
  ssh_public_key     = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBdsCRBhYQcLzfV0dDKEe3hdCWFCYqMKCPQ2SYFBo9+7 admin"
  database_password  = "0123456789abcdef0123456789abcdef"
  admin_token        = "kva_0123456789abcdef"
  join_token_secret  = "0123456789abcdef0123456789abcdef0123456789abcdef"
  role_wait_seconds  = 0
}

run "the_network_and_the_database_come_first" {
  command = plan

  variables {
    stage = 1
  }

  assert {
    condition     = length(module.cluster) == 0 && length(module.registration) == 0 && output.control_plane.grpc == null
    error_message = "No machine starts before its certificates are there."
  }
}

run "the_whole_region" {
  assert {
    condition     = join(" ", output.cluster_endpoints) == "eu-1-a.eu-1.kv.internal:8085 eu-1-a.eu-1.kv.internal:8086"
    error_message = "The cluster's name is in the region's zone."
  }

  assert {
    condition     = output.control_plane.grpc == "control.eu-1.kv.internal:9090" && strcontains(output.cloud_init, "--control-plane control.eu-1.kv.internal:9090 --region eu-1 --cluster eu-1-a")
    error_message = "Machines join their control plane, as their cluster."
  }

  assert {
    condition     = azurerm_key_vault_secret.join_token[0].name == "join-token" && output.private_link_service_alias == null
    error_message = "The join token lies in the vault, and clients reach machines directly."
  }

  assert {
    condition     = keys(module.registration[0].join_token_ids) == ["eu-1-a/1"] && length(module.registration[0].join_tokens) == 0
    error_message = "No state holds the join token."
  }
}

run "machines_send_their_metrics" {
  assert {
    condition     = strcontains(output.cloud_init, "- url: ${module.monitoring.remote_write_url}\n") && strcontains(module.control_plane.cloud_init, "- url: ${module.monitoring.remote_write_url}\n")
    error_message = "Data planes' machines and the control plane's."
  }
}

run "machines_send_their_logs" {
  variables {
    logs = true
  }

  assert {
    condition     = module.monitoring.logs["eu-1"].data_collection_endpoint != null
    error_message = "By the region's endpoint."
  }
}

run "customers_by_private_link" {
  variables {
    private_link = true
  }

  assert {
    condition     = strcontains(output.cloud_init, "KVSTORE_PROXY_PROTOCOL_FROM=10.64.17.0/24") && output.private_link_service_alias != null
    error_message = "Customers come through the subnet of Private Link."
  }
}

run "a_new_join_token_leaves_the_one_before" {
  command = plan

  variables {
    join_token_version = 3
  }

  assert {
    condition     = keys(module.registration[0].join_token_ids) == ["eu-1-a/2", "eu-1-a/3"] && azurerm_key_vault_secret.join_token[0].value_wo_version == 3
    error_message = "Two tokens are good, and the vault has the new one."
  }
}
