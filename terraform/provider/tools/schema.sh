#!/bin/sh
# Prints the provider's schemas as JSON, as "terraform providers schema" has them. It downloads nothing. tfplugindocs finds a provider
# only under the address that one without a host would have.
set -eu
bin=$(cd "$(dirname "$0")/../bin" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/settings.tfrc" <<SETTINGS
provider_installation {
  dev_overrides {
    "kvstore.dev/kvstore/kvstore" = "$bin"
  }
}
SETTINGS
cat > "$work/main.tf" <<CONFIG
terraform {
  required_providers {
    kvstore = { source = "kvstore.dev/kvstore/kvstore" }
  }
}
provider "kvstore" {}
CONFIG
TF_CLI_CONFIG_FILE="$work/settings.tfrc" CHECKPOINT_DISABLE=1 terraform -chdir="$work" providers schema -json |
  sed "s#\"kvstore.dev/kvstore/kvstore\"#\"registry.terraform.io/hashicorp/kvstore\"#"
