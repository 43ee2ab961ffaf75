output "peering_ids" {
  description = "Ids of the peerings, by `FROM/TO`."
  value       = { for side, peering in azurerm_virtual_network_peering.this : side => peering.id }
}
