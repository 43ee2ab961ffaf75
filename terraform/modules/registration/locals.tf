locals {
  join_tokens = merge([for cluster, c in var.clusters : {
    for name, token in c.join_tokens : "${cluster}/${name}" => merge(token, { cluster = cluster, name = name })
  }]...)

  placements = merge([for account, a in var.accounts : {
    for region, placement in a.placements : "${account}/${region}" => merge(placement, { account = account, region = region })
  }]...)

  # An account that has to be proven first cannot be waited for here: its owner acts in between.
  waited_for = toset([
    for name, account in var.accounts : name
    if account.wait_until_ready == null ? alltrue([for replica in account.replicas : replica.vouched]) : account.wait_until_ready
  ])
}
