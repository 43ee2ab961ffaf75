mock_provider "azurerm" {
  source = "../../testing/mocks"
}

variables {
  name                   = "eu-1-a"
  location               = "germanywestcentral"
  resource_group_name    = "rg-eu-1"
  subnet_id              = "/subscriptions/s/resourceGroups/rg-eu-1/providers/Microsoft.Network/virtualNetworks/vnet-eu-1/subnets/data"
  private_dns_zone_id    = "/subscriptions/s/resourceGroups/dns/providers/Microsoft.Network/privateDnsZones/eu-1.kv.internal"
  source_image_id        = "/subscriptions/s/resourceGroups/images/providers/Microsoft.Compute/galleries/kv/images/node/versions/1.4.0"
  admin_ssh_public_key   = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBdsCRBhYQcLzfV0dDKEe3hdCWFCYqMKCPQ2SYFBo9+7 admin"
  control_plane_endpoint = "control.example.com:9090"
  kvstore_region         = "eu-1"
  key_vault_id           = "/subscriptions/s/resourceGroups/rg-eu-1/providers/Microsoft.KeyVault/vaults/kv-eu-1"
}

run "cloud_init_is_yaml_with_the_units_of_the_image" {
  assert {
    condition     = startswith(output.cloud_init, "#cloud-config\n") && contains(yamldecode(output.cloud_init).runcmd, ["systemctl", "enable", "--now", "kv-secrets", "kv-node"])
    error_message = "The units are those of deploy/machine."
  }

  assert {
    condition     = base64decode(azurerm_orchestrated_virtual_machine_scale_set.this.os_profile[0].custom_data) == output.cloud_init
    error_message = "The output is what machines get."
  }
}

run "data_planes_join_their_cluster_with_secrets_of_the_vault" {
  assert {
    condition = yamldecode(output.cloud_init).write_files[0].content == join("\n", [
      "KV_NODE_FLAGS=--control-plane control.example.com:9090 --region eu-1 --cluster eu-1-a --join-token-file /run/kv-secrets/join-token --advertise {hostname}.eu-1.kv.internal:8085 --tls-cert /run/kv-secrets/tls.pem --tls-key /run/kv-secrets/tls.pem --http-host 0.0.0.0 --azure-scheduled-events",
      "KVSTORE_DISK_TIER_PATH=/mnt/kv",
      "KVSTORE_DISK_TIER_SIZE=2400G",
      "KVSTORE_DRAIN_GRACE_PERIOD=15s",
      "",
    ])
    error_message = "Flags and settings of data planes: ${yamldecode(output.cloud_init).write_files[0].content}"
  }

  assert {
    condition     = yamldecode(output.cloud_init).write_files[1].content == "KV_SECRETS_FLAGS=--vault https://kv-eu-1.vault.azure.net --file join-token=/run/kv-secrets/join-token --file kv-tls=/run/kv-secrets/tls.pem\n"
    error_message = "Secrets of the vault."
  }

  assert {
    condition     = alltrue([for file in yamldecode(output.cloud_init).write_files : !strcontains(file.content, "kvj_") && !strcontains(file.content, "PRIVATE KEY")])
    error_message = "Custom data is readable by all of the machine, and in the state: it holds no secret."
  }
}

run "each_data_plane_has_half_of_the_six_disks" {
  assert {
    condition = yamldecode(output.cloud_init).bootcmd == [[
      "/opt/kv/deploy/machine/kv-disk",
      "local/1", "/mnt/kv/numa-0/disk-0", "local/2", "/mnt/kv/numa-1/disk-0",
      "local/3", "/mnt/kv/numa-0/disk-1", "local/4", "/mnt/kv/numa-1/disk-1",
      "local/5", "/mnt/kv/numa-0/disk-2", "local/6", "/mnt/kv/numa-1/disk-2",
    ]]
    error_message = "Disks are made ready at each boot, where data planes look for them."
  }

  assert {
    condition = contains(yamldecode(output.cloud_init).runcmd, [
      "chown", "kv:kv",
      "/mnt/kv/numa-0", "/mnt/kv/numa-0/disk-0", "/mnt/kv/numa-1", "/mnt/kv/numa-1/disk-0",
      "/mnt/kv/numa-0/disk-1", "/mnt/kv/numa-1/disk-1", "/mnt/kv/numa-0/disk-2", "/mnt/kv/numa-1/disk-2",
    ])
    error_message = "Disks are the data planes', and the folders above them."
  }

  assert {
    condition     = strcontains(output.cloud_init, "KVSTORE_DISK_TIER_SIZE=2400G")
    error_message = "A data plane uses 800 GB of each of its disks."
  }
}

run "each_data_plane_of_another_size_has_a_disk_of_its_own" {
  variables {
    sku_name = "Standard_E96ds_v5"
  }

  assert {
    condition     = yamldecode(output.cloud_init).bootcmd == [["/opt/kv/deploy/machine/kv-disk", "local/1", "/mnt/kv/numa-0", "local/2", "/mnt/kv/numa-1"]]
    error_message = "Disks are made ready at each boot, where data planes look for them."
  }

  assert {
    condition     = contains(yamldecode(output.cloud_init).runcmd, ["chown", "kv:kv", "/mnt/kv/numa-0", "/mnt/kv/numa-1"]) && strcontains(output.cloud_init, "KVSTORE_DISK_TIER_SIZE=800G")
    error_message = "Disks are the data planes'."
  }
}

run "one_disk_for_all_data_planes" {
  variables {
    disk_tier = { devices = ["/dev/sdc"], size = "200G" }
  }

  assert {
    condition     = yamldecode(output.cloud_init).bootcmd == [["/opt/kv/deploy/machine/kv-disk", "/dev/sdc", "/mnt/kv"]] && strcontains(output.cloud_init, "KVSTORE_DISK_TIER_SIZE=200G")
    error_message = "They share its folder."
  }
}

run "without_a_disk_tier_no_disk_is_touched" {
  variables {
    disk_tier = null
  }

  assert {
    condition     = !can(yamldecode(output.cloud_init).bootcmd) && !strcontains(output.cloud_init, "DISK_TIER")
    error_message = "No disk is formatted."
  }
}

run "plaintext_needs_no_certificate" {
  variables {
    plaintext = true
  }

  assert {
    condition     = strcontains(output.cloud_init, " --plaintext ") && !strcontains(output.cloud_init, "tls.pem") && alltrue([for probe in azurerm_lb_probe.this : probe.protocol == "Http"])
    error_message = "Without TLS there is no certificate, and probes speak HTTP."
  }
}

run "further_identities_have_the_vault_asked_as_the_machines_own" {
  variables {
    managed_identities = { user_assigned_resource_ids = ["/subscriptions/s/resourceGroups/g/providers/Microsoft.ManagedIdentity/userAssignedIdentities/other"] }
  }

  assert {
    condition     = strcontains(output.cloud_init, "--identity ${output.identity_client_id}") && length(azurerm_orchestrated_virtual_machine_scale_set.this.identity[0].identity_ids) == 2
    error_message = "With several identities the metadata service wants to be told which."
  }
}

run "settings_flags_and_other_ports_reach_data_planes" {
  variables {
    first_port = 9000
    settings   = { KVSTORE_MEMORY_TIER_SIZE = "300G", KVSTORE_DRAIN_GRACE_PERIOD = "30s" }
    node_flags = ["--host", "10.64.0.4,10.64.0.5"]
  }

  assert {
    condition     = strcontains(output.cloud_init, "KVSTORE_MEMORY_TIER_SIZE=300G") && strcontains(output.cloud_init, "KVSTORE_DRAIN_GRACE_PERIOD=30s") && !strcontains(output.cloud_init, "GRACE_PERIOD=15s")
    error_message = "A setting of yours goes before the module's."
  }

  assert {
    condition     = strcontains(output.cloud_init, "--port 9000 --advertise {hostname}.eu-1.kv.internal:9000") && strcontains(output.cloud_init, "--azure-scheduled-events --host 10.64.0.4,10.64.0.5\n")
    error_message = "Your flags come last, where they count."
  }
}

run "own_authorities_are_trusted" {
  variables {
    certificate_authorities = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n-----BEGIN CERTIFICATE-----\nMIIC\n-----END CERTIFICATE-----\n"
  }

  assert {
    condition     = [for file in yamldecode(output.cloud_init).write_files : file.content if file.path == "/etc/kv/ca.pem"] == [var.certificate_authorities]
    error_message = "The file is what was given."
  }

  assert {
    condition     = strcontains(output.cloud_init, "KVSTORE_CONTROL_PLANE_CA=/etc/kv/ca.pem") && strcontains(output.cloud_init, "KVSTORE_PEER_CA=/etc/kv/ca.pem")
    error_message = "Control plane and peers are held against it."
  }
}

run "machines_that_run_get_changed_files" {
  variables {
    settings = { KVSTORE_MAX_LOOKUPS = "2000" }
  }

  assert {
    condition = alltrue([for file in yamldecode(output.cloud_init).write_files : strcontains(
      base64decode(jsondecode(one([for extension in azurerm_orchestrated_virtual_machine_scale_set.this.extension : extension.settings if extension.name == "configuration"])).script),
      file.content
    )])
    error_message = "The script that Azure runs on them has all files of cloud-init."
  }

  assert {
    condition     = strcontains(local.configuration, "KVSTORE_MAX_LOOKUPS=2000") && strcontains(local.configuration, "systemctl restart kv-node")
    error_message = "A changed setting restarts data planes, which drain."
  }
}

run "several_cards_are_used" {
  variables {
    network_interface_count = 4
  }

  assert {
    condition     = strcontains(yamldecode(output.cloud_init).write_files[0].content, " --enable-multi-nic") && contains(yamldecode(output.cloud_init).runcmd, ["systemctl", "enable", "--now", "kv-cards", "kv-secrets", "kv-node"])
    error_message = "Calls leave by all of them, and packets by the card whose address they bear."
  }
}

run "data_planes_are_scraped_by_their_own_machine" {
  variables {
    metrics = { remote_write_url = "https://kv-dce.germanywestcentral-1.metrics.ingest.monitor.azure.com/dataCollectionRules/dcr-0/streams/Microsoft-PrometheusMetrics/api/v1/write?api-version=2023-04-24" }
  }

  assert {
    condition = yamldecode(one([for file in yamldecode(output.cloud_init).write_files : file.content if file.path == "/etc/kv/metrics.yaml"])) == {
      global = { scrape_interval = "30s", external_labels = { region = "eu-1", cluster = "eu-1-a" } }
      remote_write = [{
        url           = var.metrics.remote_write_url
        authorization = { credentials_file = "/run/kv-tokens/monitor" }
      }]
      scrape_configs = [{
        job_name     = "kvstore-data-plane"
        metrics_path = "/q/metrics"
        scheme       = "https"
        tls_config   = { insecure_skip_verify = true }
        static_configs = [
          { targets = ["127.0.0.1:9085"], labels = { instance = "{hostname}:9085" } },
          { targets = ["127.0.0.1:9086"], labels = { instance = "{hostname}:9086" } },
        ]
      }]
    }
    error_message = "Each data plane by the loopback, with the labels that alerts know, sent as the machine's identity."
  }

  assert {
    condition     = contains(yamldecode(output.cloud_init).runcmd, ["systemctl", "enable", "--now", "kv-metrics"]) && strcontains(local.configuration, "systemctl enable kv-metrics")
    error_message = "New machines start the unit, and those that run get it."
  }
}

run "without_tls_they_are_scraped_without" {
  variables {
    plaintext = true
    metrics   = { remote_write_url = "https://kv-dce.germanywestcentral-1.metrics.ingest.monitor.azure.com/dataCollectionRules/dcr-0/streams/Microsoft-PrometheusMetrics/api/v1/write?api-version=2023-04-24" }
  }

  assert {
    condition     = strcontains(output.cloud_init, "scheme: http\n") && !strcontains(output.cloud_init, "tls_config")
    error_message = "As the data planes speak."
  }
}

run "nothing_is_scraped_unless_it_is_said_where_to_send" {
  assert {
    condition     = !strcontains(output.cloud_init, "kv-metrics") && !strcontains(local.configuration, "enable kv-metrics") && strcontains(local.configuration, "disable --now kv-metrics")
    error_message = "A machine that sent once stops."
  }
}
