#!/bin/sh
# Writes docs/ from the schemas and the examples. With --check it changes nothing, and fails where docs/ or an example is another.
set -eu
cd "$(dirname "$0")/.."
check="${1:-}"
docs=docs
if [ "$check" = --check ]; then
  terraform fmt -check -diff -recursive examples || { echo "examples are not formatted: make docs" >&2; exit 1; }
  docs=bin/docs
  rm -rf "$docs"
else
  terraform fmt -recursive examples
fi
go build -o bin/terraform-provider-kvstore .
./tools/schema.sh > bin/schema.json
go tool -modfile=tools/go.mod tfplugindocs generate --provider-name kvstore --providers-schema bin/schema.json \
  --rendered-provider-name "KV Store" --rendered-website-dir "$docs" > bin/docs.log 2>&1 || { cat bin/docs.log >&2; exit 1; }
if [ "$check" = --check ]; then
  diff -ru docs "$docs" || { echo "docs/ is not what the schemas and examples say: make docs" >&2; exit 1; }
fi
