variable "region" {
  description = <<-EOT
    The region to register, or null where the tenants below use regions that another configuration registers.
    - `name`: such as `eu-1`. A change makes another region.
    - `display_name`: for people. Default: the name.
    - `round_trips`: microseconds to other regions that are registered already, by their names. Clients go to the nearest region that can serve them.
  EOT
  type = object({
    name         = string
    display_name = optional(string)
    round_trips  = optional(map(number), {})
  })
  default = null

  validation {
    condition     = var.region == null || can(regex("^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$", var.region.name))
    error_message = "region.name must be 1 to 63 of a-z, 0-9 and '-', and begin and end with a letter or digit: it is part of addresses and metrics."
  }
  validation {
    condition     = var.region == null || !contains(keys(try(var.region.round_trips, {})), try(var.region.name, ""))
    error_message = "region.round_trips has the region itself: name other regions alone."
  }
  validation {
    condition     = alltrue([for micros in values(try(var.region.round_trips, {})) : micros >= 1 && micros <= 10000000 && floor(micros) == micros])
    error_message = "region.round_trips are whole microseconds, 1 to 10000000: 85 ms are 85000."
  }
}

variable "clusters" {
  description = <<-EOT
    The region's clusters by name, such as `eu-1-a`.
    - `addresses`: patterns of the addresses at which its data planes may be, such as `10.1.0.0/20:8085-8099` or `*.kv.example.com`. Whoever has a join token can register no other.
    - `advertised_address`: where clients are sent instead of to each data plane, `HOST` or `HOST:PORT`, if they reach a load balancer or a private endpoint alone.
    - `initial_state`: `active` or `provisioning`, when the cluster is made. Later changes are for `kv admin`; no apply reverts a drain.
    - `join_tokens`: tokens for its data planes by a name of your choice, such as `2026-11`. To rotate add one, give it to the data planes, then take the old one out. With `secret_version` a token has its secret of `join_token_secrets`; a change of the version replaces the token at once, except that the first one of a token that is there leaves it as it is. Not set: the control plane makes the secret, and the state holds it.
    - `deletion_protection`: whether Terraform refuses to delete the cluster.
  EOT
  type = map(object({
    addresses           = set(string)
    advertised_address  = optional(string)
    initial_state       = optional(string, "active")
    deletion_protection = optional(bool, false)
    join_tokens = optional(map(object({
      label          = optional(string)
      expires_at     = optional(string)
      secret_version = optional(number)
    })), {})
  }))
  default  = {}
  nullable = false

  validation {
    condition     = length(var.clusters) == 0 || var.region != null
    error_message = "clusters need region: a cluster is of the region that this configuration registers."
  }
  validation {
    condition     = alltrue([for name, _ in var.clusters : can(regex("^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$", name))])
    error_message = "A cluster's name must be 1 to 63 of a-z, 0-9 and '-', and begin and end with a letter or digit."
  }
  validation {
    condition     = alltrue([for cluster in var.clusters : length(cluster.addresses) >= 1 && length(cluster.addresses) <= 32])
    error_message = "addresses of a cluster are 1 to 32 patterns. Without any, a stolen join token could register every address, and clients would send their keys there; [\"*\"] says that you want this."
  }
  validation {
    condition     = alltrue([for cluster in var.clusters : contains(["active", "provisioning"], cluster.initial_state)])
    error_message = "initial_state must be active or provisioning. To drain a cluster use `kv admin cluster drain`, which no apply reverts."
  }
  validation {
    condition     = alltrue(flatten([for cluster in var.clusters : [for token in cluster.join_tokens : token.expires_at == null || can(timeadd(token.expires_at, "0s"))]]))
    error_message = "expires_at of a join token must be a time such as 2030-01-31T00:00:00Z."
  }
}

variable "join_token_secrets" {
  description = "Secrets of join tokens whose `secret_version` is set, by `CLUSTER/NAME`: 43 to 128 of A-Z, a-z, 0-9, _ and -, at random, as of an `ephemeral \"random_password\"`. Only a run that makes the token uses its secret. In no plan and no state."
  type        = map(string)
  default     = {}
  nullable    = false
  sensitive   = true
  ephemeral   = true

  validation {
    condition = join(" ", sort(flatten([for cluster, c in var.clusters : [
      for name, token in c.join_tokens : "${cluster}/${name}" if token.secret_version != null
    ]]))) == join(" ", keys(var.join_token_secrets))
    error_message = "join_token_secrets must have a secret, by CLUSTER/NAME, for each of join_tokens that has a secret_version, and for no other."
  }
  validation {
    condition     = alltrue([for secret in values(var.join_token_secrets) : can(regex("^[A-Za-z0-9_-]{43,128}$", secret))])
    error_message = "A secret of a join token must be 43 to 128 of A-Z, a-z, 0-9, _ and -, at random: ephemeral \"random_password\" with length = 43 and special = false."
  }
}

variable "tenants" {
  description = <<-EOT
    Tenants by name.
    - `display_name`: for people. Default: the name.
    - `state`: `active` or `suspended`. Not set: Terraform leaves it as it is, so that no apply ends a suspension.
  EOT
  type = map(object({
    display_name = optional(string)
    state        = optional(string)
  }))
  default  = {}
  nullable = false

  validation {
    condition     = alltrue([for name, _ in var.tenants : can(regex("^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$", name))])
    error_message = "A tenant's name must be 1 to 63 of a-z, 0-9 and '-', and begin and end with a letter or digit."
  }
  validation {
    condition     = alltrue([for tenant in var.tenants : tenant.state == null || contains(["active", "suspended"], coalesce(tenant.state, "active"))])
    error_message = "state of a tenant must be active or suspended, or left out."
  }
}

variable "accounts" {
  description = <<-EOT
    Storage accounts by the name that clients know.
    - `tenant`: its owner: one of `tenants`, or one that is registered already.
    - `replicas`: where its blobs are, by region. `endpoint` is `https://NAME.blob.core.windows.net`; `credential` is a reference and never a secret.
    - `home_region`: the region whose replica also serves the regions that have none, when the account is made. Needed if there are several replicas. A failover is never reverted by an apply.
    - `read_through`: another replica, that a block is fetched from where one does not have it.
    - `max_offline_seconds`: for how long data planes that do not reach the control plane serve the account. Default: a day.
    - `limits`: what it may take of each data plane; only platform admins set them.
    - `placements`: by region, the cluster that serves it there. Not set: the platform chooses.
    - `wait_until_ready`: whether the apply waits until a data plane has found each replica good. Default: if `vouched` is true for each replica. Otherwise the owner first has to put the blobs of the output `proofs` into the containers; then wait by a `kvstore_account_ready` of your own.
    - `deletion_protection`: whether Terraform refuses to delete the account. Blobs stay in any case.
  EOT
  type = map(object({
    tenant      = string
    home_region = optional(string)
    replicas = map(object({
      endpoint         = string
      container        = optional(string)
      credential       = optional(string)
      create_container = optional(bool, false)
      vouched          = optional(bool, false)
    }))
    allowed_regions     = optional(set(string))
    read_through        = optional(object({ from = string, within_millis = optional(number) }))
    max_offline_seconds = optional(number)
    limits              = optional(object({ operations = optional(number, 0), bytes_per_second = optional(number, 0) }))
    placements          = optional(map(object({ cluster = string, pinned = optional(bool, false) })), {})
    wait_until_ready    = optional(bool)
    ready_timeout       = optional(string, "10m")
    deletion_protection = optional(bool, true)
  }))
  default  = {}
  nullable = false

  validation {
    condition     = alltrue([for account in var.accounts : length(account.replicas) > 0])
    error_message = "replicas of an account must name at least one region with an endpoint: blocks have to lie somewhere."
  }
  validation {
    condition     = alltrue([for account in var.accounts : length(account.replicas) < 2 || account.home_region != null])
    error_message = "An account with several replicas needs home_region: regions without a replica use its storage."
  }
  validation {
    condition     = alltrue([for account in var.accounts : account.home_region == null || contains(keys(account.replicas), coalesce(account.home_region, "-"))])
    error_message = "home_region of an account must be one of the regions of its replicas."
  }
  validation {
    condition     = alltrue(flatten([for account in var.accounts : [for replica in account.replicas : !startswith(replica.endpoint, "https://") || replica.container != null]]))
    error_message = "A replica with an https endpoint needs container: one endpoint may hold the containers of many accounts."
  }
  validation {
    condition     = alltrue(flatten([for account in var.accounts : [for replica in account.replicas : !can(regex("(?i)(accountkey=|sharedaccesssignature=|[?&]sig=)", "${replica.endpoint} ${replica.credential == null ? "" : replica.credential}"))]]))
    error_message = "A replica holds a secret. credential must be a reference: managed-identity, or keyvault:https://VAULT.vault.azure.net/secrets/NAME. Revoke the secret: it is in your configuration's history."
  }
  validation {
    condition     = alltrue([for account in var.accounts : account.read_through == null || contains(keys(account.replicas), try(account.read_through.from, "-"))])
    error_message = "read_through.from of an account must be one of the regions of its replicas."
  }
}

variable "warmings" {
  description = <<-EOT
    Standing warmings by a name of your choice: each copies blocks of an account from one region into another, again and again. A change makes another in its place; copied blocks stay. A pause by `kv admin` is never reverted by an apply.
    - `account`: one of `accounts`, or one that is registered already and ready in both regions.
    - `from`, `to`: regions of two of its replicas.
    - `select`: which blocks: exactly one of `used` (true: read or written since the last round), `hottest_bytes`, `stored_since` and `all` (true), of one `partition` if it is set; or `partition` alone. `block_tokens`, if blocks of the partition do not have 128 tokens.
    - `every_seconds`: time between two rounds; 10 or more with `used` and `hottest_bytes`, 3600 or more otherwise.
    - `bytes_per_second`, `requests_per_second`: most of all data planes together.
    - `preheat`: `storage`; `disk` or `memory` keeps blocks there, too, as far as there is free room.
  EOT
  type = map(object({
    account = string
    from    = string
    to      = string
    select = object({
      used          = optional(bool)
      hottest_bytes = optional(number)
      stored_since  = optional(string)
      all           = optional(bool)
      partition     = optional(string)
      block_tokens  = optional(number)
    })
    every_seconds       = number
    bytes_per_second    = optional(number)
    requests_per_second = optional(number)
    preheat             = optional(string, "storage")
  }))
  default  = {}
  nullable = false

  validation {
    condition     = alltrue([for warming in var.warmings : warming.from != warming.to])
    error_message = "from and to of a warming must be two regions."
  }
  validation {
    condition = alltrue([for warming in var.warmings : contains(
      warming.select.partition == null ? [1] : [0, 1],
      length([for way in [warming.select.used, warming.select.hottest_bytes, warming.select.stored_since, warming.select.all] : way if way != null]),
    )])
    error_message = "select of a warming must have exactly one of used, hottest_bytes, stored_since and all, or a partition alone."
  }
  validation {
    condition     = alltrue(flatten([for warming in var.warmings : [for way in [warming.select.used, warming.select.all] : way == null || way == true]]))
    error_message = "used and all of a warming's select are true, or left out."
  }
  validation {
    condition     = alltrue([for warming in var.warmings : warming.select.block_tokens == null || warming.select.partition != null])
    error_message = "block_tokens of a warming's select need a partition."
  }
  validation {
    condition = alltrue([for warming in var.warmings : floor(warming.every_seconds) == warming.every_seconds && warming.every_seconds <= 2592000 &&
      warming.every_seconds >= (warming.select.used == null && warming.select.hottest_bytes == null ? 3600 : 10)
    ])
    error_message = "every_seconds of a warming must be 10 to 2592000 with used or hottest_bytes, and 3600 or more otherwise: all else lists the storage."
  }
  validation {
    condition     = alltrue([for warming in var.warmings : contains(["storage", "disk", "memory"], warming.preheat)])
    error_message = "preheat of a warming must be storage, disk or memory."
  }
  validation {
    condition = alltrue(flatten([for warming in var.warmings : [
      for region in [warming.from, warming.to] : contains(keys(var.accounts[warming.account].replicas), region)
    ] if contains(keys(var.accounts), warming.account)]))
    error_message = "from and to of a warming must be regions of replicas of its account."
  }
}

variable "grants" {
  description = <<-EOT
    Who may use accounts of others, by `ACCOUNT/NAME` with a name of your choice.
    - `grantee`: tenant that may: one of `tenants`, or one that is registered already.
    - `access`: `read`, `write` or both. The first key that writes a block decides what all readers get: grant `write` to those alone whose engines you trust.
    - `partition`: the one partition of the account. Not set: each of them.
    - `key`: the one of `keys` that may; or `key_id`: the id of a key from elsewhere. Neither: each key of the grantee.
    - `expires_at`: when it ends, as in `2030-01-31T00:00:00Z`.
  EOT
  type = map(object({
    grantee    = string
    access     = optional(set(string), ["read"])
    partition  = optional(string)
    key        = optional(string)
    key_id     = optional(string)
    expires_at = optional(string)
  }))
  default  = {}
  nullable = false

  validation {
    condition     = alltrue([for path, _ in var.grants : can(regex("^[^/]+/[^/]+$", path))])
    error_message = "A grant's key must be ACCOUNT/NAME, such as \"acme-cache/inference\"."
  }
  validation {
    condition     = alltrue([for grant in var.grants : length(grant.access) > 0 && length(setsubtract(grant.access, ["read", "write"])) == 0])
    error_message = "access of a grant must be [\"read\"], [\"write\"] or both. To end a grant take it out of the map."
  }
  validation {
    condition     = alltrue([for grant in var.grants : grant.key == null || contains(keys(var.keys), coalesce(grant.key, "-"))])
    error_message = "key of a grant must be one of keys; for a key that is made elsewhere give key_id."
  }
  validation {
    condition     = alltrue([for grant in var.grants : grant.key == null || grant.key_id == null])
    error_message = "A grant has key or key_id, not both."
  }
  validation {
    condition     = alltrue([for path, grant in var.grants : try(var.accounts[split("/", path)[0]].tenant, "") != grant.grantee])
    error_message = "A grant's grantee owns the account: an owner's keys need no grant."
  }
}

variable "keys" {
  description = <<-EOT
    API keys by a name of your choice.
    - `tenant`: one of `tenants`, or one that is registered already.
    - `label`: for people. Default: the name.
    - `secret_version`: with a secret in `key_secrets` under the same name, raise it to rotate. Not set: the provider makes the secret, and the state holds it.
    - `rotation_overlap`: for how long the key before stays good after a rotation.
    - `expires_at`: when it ends, as in `2030-01-31T00:00:00Z`.
  EOT
  type = map(object({
    tenant           = string
    label            = optional(string)
    secret_version   = optional(number)
    rotation_overlap = optional(string, "24h")
    expires_at       = optional(string)
  }))
  default  = {}
  nullable = false

  validation {
    condition     = alltrue([for key in var.keys : key.expires_at == null || can(timeadd(key.expires_at, "0s"))])
    error_message = "expires_at of a key must be a time such as 2030-01-31T00:00:00Z."
  }
  validation {
    condition     = alltrue([for key in var.keys : can(timeadd("2026-01-01T00:00:00Z", key.rotation_overlap)) && !startswith(key.rotation_overlap, "-")])
    error_message = "rotation_overlap of a key must be a time such as 24h, or 0s to revoke the key before at once."
  }
}

variable "key_secrets" {
  description = "Secrets of keys whose `secret_version` is set, by the names of `keys`: 43 to 128 of A-Z, a-z, 0-9, _ and -, at random, as of an `ephemeral \"random_password\"`. In no plan and no state."
  type        = map(string)
  default     = {}
  nullable    = false
  sensitive   = true
  ephemeral   = true

  validation {
    condition     = join(" ", [for name, key in var.keys : name if key.secret_version != null]) == join(" ", keys(var.key_secrets))
    error_message = "key_secrets must have a secret for each of keys that has a secret_version, and for no other."
  }
  validation {
    condition     = alltrue([for secret in values(var.key_secrets) : can(regex("^[A-Za-z0-9_-]{43,128}$", secret))])
    error_message = "A secret of a key must be 43 to 128 of A-Z, a-z, 0-9, _ and -, at random: ephemeral \"random_password\" with length = 43 and special = false."
  }
}
