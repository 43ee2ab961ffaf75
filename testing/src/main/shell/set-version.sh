#!/usr/bin/env bash
# Sets the version in every file that has it, and begins the changelog's section. RELEASING.md says when.
#
# Usage: set-version.sh X.Y.Z [DATE]     a release: [Unreleased] of the changelog gets its number and date, today's if none
#        set-version.sh X.Y.Z-SNAPSHOT   the work towards it: the changelog gets an empty [Unreleased]
set -euo pipefail

fail() {
  echo "set-version.sh: $1" >&2
  exit 2
}

new="${1:-}"
day="${2:-$(date +%F)}"
[[ "$new" =~ ^[0-9]+\.[0-9]+\.[0-9]+(-SNAPSHOT)?$ ]] || fail "\"$new\" is no version; give X.Y.Z or X.Y.Z-SNAPSHOT."
[[ "$day" =~ ^20[0-9]{2}-[0-9]{2}-[0-9]{2}$ ]] || fail "\"$day\" is no date; give YYYY-MM-DD."
cd "$(dirname "${BASH_SOURCE[0]}")/../../../.."

# The version that this file has now: its digits, and the ending of one that is not released.
any='[0-9]*\.[0-9]*\.[0-9]*\(-SNAPSHOT\)\{0,1\}'
any_python='[0-9]*\.[0-9]*\.[0-9]*\(\.dev0\)\{0,1\}'
old="$(sed -n "s:^  <version>\($any\)</version>$:\1:p" pom.xml)"
[[ -n "$old" ]] || fail "pom.xml has no line \"  <version>X.Y.Z</version>\"."

[[ "$old" != "$new" ]] || fail "the version is $new already."

# Edits FILE by a script of sed. A file that stays as it was has its version elsewhere than this script believes.
edited="$(mktemp)"
trap 'rm -f "$edited"' EXIT
edit() {
  sed "$2" "$1" >"$edited"
  ! cmp -s "$edited" "$1" || fail "$1: found no version to replace."
  cat "$edited" >"$1"
}

edit pom.xml "s:^  <version>$any</version>$:  <version>$new</version>:"
for module in $(sed -n 's:^ *<module>\(.*\)</module>$:\1:p' pom.xml); do
  edit "$module/pom.xml" "/<parent>/,/<\/parent>/s:<version>$any</version>:<version>$new</version>:"
done
for example in examples/*/pom.xml; do
  edit "$example" "s:<kvstore.version>$any</kvstore.version>:<kvstore.version>$new</kvstore.version>:"
done
edit deploy/helm/kvstore/Chart.yaml "s/^version: .*/version: ${new%-SNAPSHOT}/; s/^appVersion: .*/appVersion: \"$new\"/"
for package in client-python/*/src/*/_version.py; do
  edit "$package" "s/^__version__ = \"$any_python\"/__version__ = \"${new/-SNAPSHOT/.dev0}\"/"
done
for connector in vllm sglang lmcache; do
  edit "client-python/kvstore-$connector/pyproject.toml" \
    "s/\"kvstore-client==$any_python\"/\"kvstore-client==${new/-SNAPSHOT/.dev0}\"/"
done
edit client-python/kvstore-client/pyproject.toml "s/\"\(kvstore-[a-z]*\)==$any_python\"/\"\1==${new/-SNAPSHOT/.dev0}\"/"
edit README.md "s/The version is $any;/The version is $new;/"
edit client-java/README.md "/<artifactId>kvstore-bom</,/<\/dependency>/s:<version>$any</version>:<version>$new</version>:"

if [[ "$new" == *-SNAPSHOT ]]; then
  grep -q '^## \[Unreleased\]' CHANGELOG.md ||
    edit CHANGELOG.md "1,/^## /s/^## /## [Unreleased]\\
\\
## /"
else
  grep -q '^## \[Unreleased\]' CHANGELOG.md || fail "CHANGELOG.md has no section [Unreleased] that could become $new."
  edit CHANGELOG.md "s/^## \[Unreleased\]$/## [$new] - $day/"
fi
echo "The version is $new; it was $old. git diff shows the files."
