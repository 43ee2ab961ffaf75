# "kv test --engines" and "kv demo --engine": Python environments with real engines. Sourced by kv, whose functions it
# uses.
#
# An engine is a folder client-python/kvstore-NAME with engines/install.sh, its recipe: "install.sh ENVIRONMENT
# [VERSION]" makes the environment, or finishes one that it began. A line "# Needs N GB and M minutes" in it says at what
# price. Its tests are those that pytest finds in the folder with the mark "engine".

readonly engines=target/engines

engine_names() {
  local recipe
  for recipe in "$root"/client-python/kvstore-*/engines/install.sh; do
    recipe="${recipe%/engines/install.sh}"
    if [[ -d "$recipe" ]]; then echo "${recipe##*/kvstore-}"; fi
  done
}

require_engine() {
  local known
  for known in $(engine_names); do
    [[ "$1" != "$known" ]] || return 0
  done
  fail "there is no engine \"$1\"; the engines are $(engine_names | paste -sd ' ' -)."
}

digest_of() {
  local sha256=(sha256sum)
  command -v sha256sum >/dev/null || sha256=(shasum -a 256)
  cat "$@" | "${sha256[@]}" | cut -c 1-12
}

# Why an environment cannot be made here; empty if it can. $1 are the gigabytes that it needs.
engine_obstacle() {
  local free
  if ! command -v python3 >/dev/null; then
    echo "there is no python3 on the PATH: install Python 3.10 or newer"
  elif ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))'; then
    echo "python3 on the PATH is older than 3.10"
  elif ! python3 -c 'import ensurepip, venv' 2>/dev/null; then
    echo "python3 lacks the module venv: install the package python3-venv"
  else
    free="$(df -Pk "$root/target" | awk 'NR == 2 { print int($4 / 1000000) }')"
    if ((free < $1)); then echo "$root/target has $free GB free, and it needs $1 GB"; fi
  fi
}

has_package_index() {
  local folder
  folder="$(mktemp -d)"
  "$1/bin/pip" --disable-pip-version-check download --quiet --no-deps --retries 1 --timeout 20 --dest "$folder" packaging
  local code=$?
  rm -rf "$folder"
  return $code
}

# Makes the environment of engine $1 in version $2 (empty: that of the recipe) unless it is there, and sets
# $environment. Where it cannot be made, says so and returns 1.
engine_environment() {
  local name="$1" version="$2"
  local folder="$root/client-python/kvstore-$name" place="$root/$engines/$name/${version:-pinned}"
  local recipe="$folder/engines/install.sh" parts=() gigabytes minutes obstacle="" installed
  parts=("$recipe")
  [[ ! -e "$folder/engines/requirements.py" ]] || parts+=("$folder/engines/requirements.py")
  environment="$place/$(digest_of "${parts[@]}")"
  # The packages of this checkout are installed for editing: only their requirements may change.
  installed="$(digest_of "$folder/pyproject.toml" "$root/client-python/kvstore-client/pyproject.toml")"
  [[ "$(cat "$environment/installed" 2>/dev/null)" != "$installed" ]] || return 0
  read -r gigabytes minutes <<<"$(sed -nE 's/^# Needs ([0-9]+) GB and ([0-9]+) minutes.*/\1 \2/p' "$recipe")"
  [[ -n "$gigabytes" ]] || fail "$recipe: has no line \"# Needs N GB and M minutes\"; add one"
  mkdir -p "$place"
  # A checkout has one environment of a version.
  find "$place" -mindepth 1 -maxdepth 1 ! -path "$environment" -exec rm -rf {} +
  [[ -x "$environment/bin/python" ]] || obstacle="$(engine_obstacle "$gigabytes")"
  if [[ -z "$obstacle" ]]; then
    echo "kv: making a Python environment with $name${version:+ $version}, once: about $gigabytes GB and $minutes minutes" >&2
    [[ -x "$environment/bin/pip" ]] || python3 -m venv "$environment" || obstacle="python3 -m venv failed"
  fi
  if [[ -z "$obstacle" ]] && ! has_package_index "$environment" 2>"$place/index.log"; then
    obstacle="no Python package index answers; why is in $place/index.log"
  fi
  if [[ -n "$obstacle" ]]; then
    echo "kv: skipped $name${version:+ $version}: $obstacle" >&2
    return 1
  fi
  if ! "$recipe" "$environment" ${version:+"$version"} >"$place/install.log" 2>&1 </dev/null; then
    tail -n 20 "$place/install.log" >&2
    fail "the environment of $name could not be made; all that its recipe said is in $place/install.log"
  fi
  echo "$installed" >"$environment/installed"
}

# Runs a program of client-python/kvstore-client/tools with a folder below target and the arguments behind it.
run_python_tool() {
  need python3 python3 "3.10 or newer"
  mkdir -p "$root/target/$2"
  python3 "$root/client-python/kvstore-client/tools/$1.py" "$root/target/$2" "${@:3}"
}

# kv test --engines --hooks [NAME[=VERSION]...]: what versions of engines ask of a connector, from their wheels.
run_hook_tests() {
  local word
  for word in "$@"; do require_engine "${word%%=*}"; done
  run_python_tool hooks engine-wheels "$@"
}

# kv test --engines [NAME[=VERSION]...]
run_engine_tests() {
  if [[ "${1:-}" == --hooks ]]; then
    run_hook_tests "${@:2}"
    return
  fi
  local word name version failed="" skipped="" environment=""
  for word in "$@"; do
    [[ "$word" != -* ]] || fail "kv test --engines takes names of engines, as vllm or vllm=0.32.0, not $word."
    require_engine "${word%%=*}"
  done
  (($# > 0)) || set -- $(engine_names)
  prepare "$launcher"
  for word in "$@"; do
    name="${word%%=*}" version=""
    [[ "$word" != *=* ]] || version="${word#*=}"
    if ! engine_environment "$name" "$version"; then
      skipped+=" $word"
      continue
    fi
    echo "Testing the connector of $word with a real engine and a service that the tests start ..."
    (
      cd "$root/client-python/kvstore-$name"
      PYTHONDONTWRITEBYTECODE=1 PATH="$environment/bin:$PATH" python -m pytest -m engine -p no:cacheprovider -rs --durations=5
    ) </dev/null || failed+=" $word"
  done
  [[ -z "$skipped" ]] || echo "Skipped, as said before:$skipped"
  [[ -z "$failed" ]] || fail "engine tests failed:$failed"
}

# kv demo --engine NAME [flags]: the main job in a real engine, by engines/demo.py of its folder.
run_engine_demo() {
  local name="${1#--engine}" environment=""
  shift
  if [[ -n "$name" ]]; then
    name="${name#=}"
  else
    (($# > 0)) || fail "--engine needs a value: $(engine_names | paste -sd ' ' -)."
    name="$1"
    shift
  fi
  require_engine "$name"
  [[ -e "$root/client-python/kvstore-$name/engines/demo.py" ]] || fail "the engine $name has no demo."
  prepare "$launcher"
  engine_environment "$name" "" || exit 1
  PYTHONDONTWRITEBYTECODE=1 exec "$environment/bin/python" "$root/client-python/kvstore-$name/engines/demo.py" "$@"
}
