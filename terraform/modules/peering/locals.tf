locals {
  # Each ordered pair of regions: a peering has two sides.
  sides = merge([for name in keys(var.regions) : {
    for other in keys(var.regions) : "${name}/${other}" => { from = name, to = other } if name != other
  }]...)
}
