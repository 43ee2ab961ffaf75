mock_provider "azurerm" { source = "../../testing/mocks" }

variables {
  name                   = "kv-eu-1-a"
  location               = "germanywestcentral"
  resource_group_name    = "kv"
  subnet_id              = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/virtualNetworks/kv/subnets/nodes"
  region                 = "eu-1"
  cluster                = "eu-1-a"
  control_plane          = { grpc_endpoint = "control.kv.example.com:9090" }
  pod_subnet             = { id = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/virtualNetworks/kv/subnets/pods" }
  domain                 = "eu-1-a.kv.example.com"
  images                 = { repository = "kvimages.azurecr.io/kvstore", tag = "1.0.0" }
  admin_group_object_ids = ["11111111-2222-3333-4444-555555555555"]
}

run "a_private_cluster_without_local_accounts" {
  assert {
    condition     = azurerm_kubernetes_cluster.this.private_cluster_enabled && azurerm_kubernetes_cluster.this.local_account_disabled
    error_message = "in the network alone, and by Entra ID alone"
  }
  assert {
    condition     = length(azurerm_kubernetes_cluster.this.monitor_metrics) == 1
    error_message = "the agent that scrapes is on"
  }
}

run "nodes_for_data_planes_alone" {
  assert {
    condition     = azurerm_kubernetes_cluster_node_pool.data.kubelet_config[0].cpu_manager_policy == "static" && azurerm_kubernetes_cluster_node_pool.data.kubelet_config[0].topology_manager_policy == "single-numa-node"
    error_message = "a data plane has cores of one NUMA node"
  }
  assert {
    condition     = azurerm_kubernetes_cluster_node_pool.data.node_taints == tolist(["kvstore.dev/plane=data:NoSchedule"])
    error_message = "other pods stay away"
  }
  assert {
    condition     = yamldecode(output.helm_values).dataPlane.tolerations[0] == { key = "kvstore.dev/plane", value = "data", effect = "NoSchedule", operator = "Equal" } && yamldecode(output.helm_values).dataPlane.nodeSelector == { "kvstore.dev/plane" = "data" }
    error_message = "and data planes go there"
  }
  assert {
    condition     = azurerm_kubernetes_cluster_node_pool.data.upgrade_settings[0].max_surge == "1" && length(azurerm_kubernetes_cluster_node_pool.data.zones) == 3
    error_message = "in three zones, upgraded one at a time"
  }
}

run "identities_of_pods" {
  assert {
    condition     = azurerm_federated_identity_credential.data_plane.subject == "system:serviceaccount:kv:kv-kvstore-data-plane" && azurerm_federated_identity_credential.data_plane.audience == tolist(["api://AzureADTokenExchange"])
    error_message = "as the chart calls its service account"
  }
  assert {
    condition     = yamldecode(output.helm_values).dataPlane.workloadIdentity && contains(keys(yamldecode(output.helm_values).dataPlane.serviceAccount.annotations), "azure.workload.identity/client-id")
    error_message = "and the chart uses it"
  }
  assert {
    condition     = azurerm_role_assignment.pod_network[0].scope == var.pod_subnet.id && azurerm_role_assignment.network.scope == var.subnet_id
    error_message = "Kubernetes may use its subnets, and no other"
  }
  assert {
    condition     = length(azurerm_federated_identity_credential.control_plane) == 0 && length(azurerm_role_assignment.pulls_images) == 0
    error_message = "what is not asked for is not there"
  }
}

run "data_planes_of_a_control_plane_elsewhere" {
  assert {
    condition     = !yamldecode(output.helm_values).controlPlane.enabled && yamldecode(output.helm_values).dataPlane.controlPlane == "control.kv.example.com:9090"
    error_message = "the chart brings data planes alone"
  }
  assert {
    condition     = yamldecode(output.helm_values).dataPlane.replicas == 3 && yamldecode(output.helm_values).dataPlane.cpu == "28" && yamldecode(output.helm_values).dataPlane.memory == "208Gi"
    error_message = "one on each node"
  }
  assert {
    condition     = yamldecode(output.helm_values).dataPlane.disk.volume == "512Gi" && yamldecode(output.helm_values).dataPlane.disk.tier == "460Gi"
    error_message = "the disk tier leaves a tenth of its volume"
  }
  assert {
    condition     = output.addresses == ["*.eu-1-a.kv.example.com:8085"]
    error_message = "they register by the names that the chart gives them"
  }
}

run "a_control_plane_of_its_own_in_a_release_of_another_name" {
  variables {
    control_plane = {
      database = {
        jdbc_url    = "jdbc:postgresql://db.postgres.database.azure.com/kvstore?sslmode=verify-full"
        identity_id = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.ManagedIdentity/userAssignedIdentities/control"
      }
    }
    release            = { name = "kvstore", namespace = "cache" }
    container_registry = { id = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.ContainerRegistry/registries/kvimages" }
    pod_subnet         = { id = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.Network/virtualNetworks/kv/subnets/pods" }
  }
  assert {
    condition     = azurerm_federated_identity_credential.control_plane[0].subject == "system:serviceaccount:cache:kvstore-control-plane"
    error_message = "a release that has the product's name is called as it is"
  }
  assert {
    condition     = yamldecode(output.helm_values).controlPlane.enabled && endswith(yamldecode(output.helm_values).controlPlane.database.url, "sslmode=verify-full")
    error_message = "the chart brings a control plane, whose database has to prove who it is"
  }
  assert {
    condition     = azurerm_kubernetes_cluster.this.network_profile[0].network_plugin_mode == null && azurerm_kubernetes_cluster_node_pool.data.pod_subnet_id == var.pod_subnet.id && azurerm_role_assignment.pod_network[0].scope == var.pod_subnet.id
    error_message = "pods have addresses of the network"
  }
  assert {
    condition     = azurerm_role_assignment.pulls_images[0].role_definition_name == "AcrPull"
    error_message = "nodes may pull images"
  }
}

run "control_plane_and_clients_in_this_cluster_alone" {
  variables {
    control_plane = {
      database = {
        jdbc_url    = "jdbc:postgresql://db.postgres.database.azure.com/kvstore?sslmode=verify-full"
        identity_id = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.ManagedIdentity/userAssignedIdentities/control"
      }
    }
    domain     = null
    pod_subnet = null
  }
  assert {
    condition     = azurerm_kubernetes_cluster.this.network_profile[0].network_plugin_mode == "overlay" && azurerm_kubernetes_cluster.this.network_profile[0].dns_service_ip == "172.29.0.10" && length(azurerm_role_assignment.pod_network) == 0
    error_message = "pods have addresses of their own unless there is a subnet for them"
  }
  assert {
    condition     = output.addresses == ["*.kv-kvstore-data-plane.kv.svc.cluster.local:8085"] && !contains(keys(yamldecode(output.helm_values).dataPlane), "domain")
    error_message = "they register by the names that Kubernetes gives them"
  }
}

run "scale_out" {
  variables {
    data_planes = { node_count = 5, per_node = 2 }
  }
  assert {
    condition     = azurerm_kubernetes_cluster_node_pool.data.node_count == 5 && yamldecode(output.helm_values).dataPlane.replicas == 10
    error_message = "nodes and replicas go together"
  }
  assert {
    condition     = output.node_pool_id == run.nodes_for_data_planes_alone.node_pool_id
    error_message = "nothing is made anew"
  }
}

run "no_disk" {
  variables {
    data_planes = { disk_gib = 0 }
    lock        = { kind = "CanNotDelete" }
    diagnostic_settings = {
      audit = { log_groups = ["audit"], workspace_resource_id = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.OperationalInsights/workspaces/kv" }
    }
  }
  assert {
    condition     = azurerm_monitor_diagnostic_setting.this["audit"].name == "kv-eu-1-a-audit" && [for log in azurerm_monitor_diagnostic_setting.this["audit"].enabled_log : log.category_group] == ["audit"]
    error_message = "who did what is kept"
  }
  assert {
    condition     = !yamldecode(output.helm_values).dataPlane.disk.persistent && yamldecode(output.helm_values).dataPlane.disk.tier == "0"
    error_message = "memory and storage alone"
  }
  assert {
    condition     = azurerm_management_lock.this[0].lock_level == "CanNotDelete"
    error_message = "a lock is there if it is asked for"
  }
}

run "nobody_who_administers_it" {
  command = plan
  variables {
    admin_group_object_ids = []
  }
  expect_failures = [var.admin_group_object_ids]
}

run "a_public_api_server_for_everybody" {
  command = plan
  variables {
    private_cluster_enabled = false
  }
  expect_failures = [var.private_cluster_enabled]
}

run "two_control_planes" {
  command = plan
  variables {
    control_plane = { grpc_endpoint = "c:9090", database = { jdbc_url = "jdbc:postgresql://db/kvstore?sslmode=verify-full", identity_id = "/providers/Microsoft.ManagedIdentity/userAssignedIdentities/control" } }
  }
  expect_failures = [var.control_plane]
}

run "a_url_where_host_and_port_belong" {
  command = plan
  variables {
    control_plane = { grpc_endpoint = "https://control.kv.example.com" }
  }
  expect_failures = [var.control_plane]
}

run "a_password_in_the_url" {
  command = plan
  variables {
    control_plane = { database = { jdbc_url = "jdbc:postgresql://user:secret@db/kvstore?sslmode=verify-full", identity_id = "/providers/Microsoft.ManagedIdentity/userAssignedIdentities/control" } }
  }
  expect_failures = [var.control_plane]
}

run "half_a_cpu" {
  command = plan
  variables {
    data_planes = { cpu = 7.5 }
  }
  expect_failures = [var.data_planes]
}

run "images_of_no_version" {
  command = plan
  variables {
    images = { repository = "r", tag = "latest" }
  }
  expect_failures = [var.images]
}

run "a_kubernetes_that_the_chart_does_not_know" {
  command = plan
  variables {
    kubernetes_version = "1.27"
  }
  expect_failures = [var.kubernetes_version]
}

run "a_subnet_by_its_name" {
  command = plan
  variables {
    subnet_id = "nodes"
  }
  expect_failures = [var.subnet_id]
}

run "one_node_for_dns" {
  command = plan
  variables {
    system_nodes = { node_count = 1 }
  }
  expect_failures = [var.system_nodes]
}

run "a_way_out_that_there_is_not" {
  command = plan
  variables {
    outbound_type = "managedNat"
  }
  expect_failures = [var.outbound_type]
}

run "logs_that_go_nowhere" {
  command = plan
  variables {
    diagnostic_settings = { logs = {} }
  }
  expect_failures = [var.diagnostic_settings]
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

run "a_condition_without_version" {
  command = plan
  variables {
    role_assignments = { a = { role_definition_id_or_name = "Azure Kubernetes Service RBAC Reader", principal_id = "11111111-2222-3333-4444-777777777777", condition = "x" } }
  }
  expect_failures = [var.role_assignments]
}

run "others_find_each_data_plane_by_names_of_their_own" {
  variables {
    external_dns = { private_dns_zone_id = "/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/dns/providers/Microsoft.Network/privateDnsZones/kv.example.com" }
  }
  assert {
    condition     = output.addresses == ["*.eu-1-a.kv.example.com:8085"] && yamldecode(output.helm_values).dataPlane.domain == "eu-1-a.kv.example.com"
    error_message = "the chart advertises what is registered"
  }
  assert {
    condition     = azurerm_role_assignment.makes_names[0].scope == var.external_dns.private_dns_zone_id && azurerm_federated_identity_credential.external_dns[0].subject == "system:serviceaccount:external-dns:external-dns"
    error_message = "external-dns may change this zone, and no other"
  }
  assert {
    condition     = azurerm_role_assignment.finds_zones[0].scope == "/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/dns" && azurerm_role_assignment.finds_zones[0].role_definition_name == "Reader"
    error_message = "and it finds the zone in its group"
  }
  assert {
    condition     = yamldecode(output.external_dns_values).domainFilters == ["kv.example.com"] && jsondecode(yamldecode(output.external_dns_values).secretConfiguration.data["azure.json"]).resourceGroup == "dns"
    error_message = "and knows where it is"
  }
}

run "names_that_no_other_region_could_look_up" {
  command = plan
  variables {
    domain = null
  }
  expect_failures = [var.domain]
}

run "names_of_pods_that_nobody_reaches" {
  command = plan
  variables {
    pod_subnet = null
  }
  expect_failures = [var.domain]
}

run "azures_agent_finds_data_planes" {
  assert {
    condition     = yamldecode(output.helm_values).metrics == { mode = "serviceMonitor", apiVersion = "azmonitoring.coreos.com/v1" }
    error_message = "by objects of its own group; it reads no others, and by annotations no TLS"
  }
}

run "logs_of_pods" {
  variables {
    logs = { log_analytics_workspace_id = "/subscriptions/0/resourceGroups/kv/providers/Microsoft.OperationalInsights/workspaces/log-eu-1" }
  }
  assert {
    condition     = azurerm_kubernetes_cluster.this.oms_agent[0].log_analytics_workspace_id == var.logs.log_analytics_workspace_id && azurerm_kubernetes_cluster.this.oms_agent[0].msi_auth_for_monitoring_enabled
    error_message = "by the cluster's own agent, as its identity"
  }
}

run "logs_by_the_workspaces_name_are_refused" {
  command = plan
  variables {
    logs = { log_analytics_workspace_id = "log-eu-1" }
  }
  expect_failures = [var.logs]
}
