resource "azurerm_kubernetes_cluster_node_pool" "data" {
  name                        = "data"
  kubernetes_cluster_id       = azurerm_kubernetes_cluster.this.id
  vm_size                     = var.data_planes.vm_size
  node_count                  = var.data_planes.node_count
  zones                       = length(var.data_planes.zones) == 0 ? null : var.data_planes.zones
  vnet_subnet_id              = var.subnet_id
  pod_subnet_id               = try(var.pod_subnet.id, null)
  mode                        = "User"
  os_type                     = "Linux"
  os_sku                      = "AzureLinux"
  os_disk_type                = var.data_planes.os_disk_type
  host_encryption_enabled     = true
  node_labels                 = local.label
  node_taints                 = ["${local.taint.key}=${local.taint.value}:${local.taint.effect}"]
  temporary_name_for_rotation = "datatmp"
  max_pods                    = 110
  tags                        = var.tags

  # Cores of one NUMA node for each data plane. AKS has no memory manager: the data plane binds its memory itself where it may.
  kubelet_config {
    cpu_manager_policy      = "static"
    topology_manager_policy = "single-numa-node"
    cpu_cfs_quota_enabled   = false
  }

  linux_os_config {
    transparent_huge_page = "madvise"

    sysctl_config {
      net_core_somaxconn = 16384
      vm_swappiness      = 1
    }
  }

  upgrade_settings {
    max_surge                     = "1"
    drain_timeout_in_minutes      = 30
    node_soak_duration_in_minutes = 5
    undrainable_node_behavior     = "Cordon"
  }

  lifecycle {
    ignore_changes = [orchestrator_version]
  }
}
