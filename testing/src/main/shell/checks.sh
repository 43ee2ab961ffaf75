# "kv check" and "kv test": builds with all gates, then runs tests side by side. Sourced by kv, whose functions it uses.

readonly checked="target/checked"

# The modules of the parent pom, in its order.
all_modules() {
  sed -n 's:^ *<module>\(.*\)</module>$:\1:p' "$root/pom.xml"
}

# One line for all that a module's own check depends on: its sources, its pom and the parent's; the launcher's tests run kv.
fingerprint() {
  local sha256=(sha256sum) files=(pom.xml .mvn "$1/pom.xml")
  [[ ! -d "$root/$1/src" ]] || files+=("$1/src")
  [[ "$1" != launcher ]] || files+=(kv)
  # macOS has another program for it.
  command -v sha256sum >/dev/null || sha256=(shasum -a 256)
  (cd "$root" && find "${files[@]}" -type f -print0 | LC_ALL=C sort -z | xargs -0 "${sha256[@]}" |
    "${sha256[@]}" | cut -d ' ' -f 1)
}

# Whether the module is as it was at its last green check.
is_checked() {
  [[ -r "$root/$checked/$1" && "$(cat "$root/$checked/$1")" == "$(fingerprint "$1")" ]]
}

# These modules and those that depend on them, in the parent's order.
with_dependents() {
  local affected=" $* " before="" module other
  while [[ "$affected" != "$before" ]]; do
    before="$affected"
    for module in $(all_modules); do
      for other in $affected; do
        if [[ "$affected" != *" $module "* ]] && grep -q "<artifactId>$other</artifactId>" "$root/$module/pom.xml"; then
          affected+="$module "
        fi
      done
    done
  done
  for module in $(all_modules); do
    if [[ "$affected" == *" $module "* ]]; then echo "$module"; fi
  done
}

require_module() {
  local known
  for known in $(all_modules); do
    [[ "$1" != "$known" ]] || return 0
  done
  fail "there is no module \"$1\"; the modules are $(all_modules | paste -sd ' ' -)."
}

# A quick build's classes have passed no gate, and Maven takes them for up to date.
forget_quick_build() {
  [[ -e "$root/$quick" ]] || return 0
  local module
  for module in $(all_modules); do
    rm -rf "$root/$module/target/classes" "$root/$module/target/maven-status"
  done
  rm -f "$root/$quick"
}

# Takes what Maven says of a build that goes well; kv publish shows some of it.
shown() { cat >/dev/null; }

# Runs Maven with all gates; prints what it says only when it fails, but for what "shown" shows.
build_with_gates() {
  local log="$root/target/gates.log"
  mkdir -p "$root/target"
  forget_quick_build
  if ! (cd "$root" && mvn -B -T 2 -DskipTests "$@") 2>&1 </dev/null | tee "$log" | shown; then
    grep -E '^\[ERROR\]' "$log" | grep -vE 'Help 1|Re-run Maven|full stack trace|For more information|^\[ERROR\] *$' | head -n 60 >&2
    echo "kv: a gate or the build failed; all it said is in target/gates.log (mvn spotless:apply formats)" >&2
    exit 1
  fi
}

# Runs tests of built modules: lane, then what dev.kvstore.testing.run.Tests takes.
run_built_tests() {
  local lane="$1" terminal=""
  shift
  [[ -t 1 ]] && terminal="--terminal"
  "$JAVA_HOME/bin/java" -XX:TieredStopAtLevel=1 -cp "$root/testing/target/classes:$(cat "$root/testing/target/test-classpath.txt")" \
    dev.kvstore.testing.run.Tests --root "$root" --lane "$lane" $terminal "$@"
}

# kv check [--all] [module...]
run_check() {
  local all="" modules=() module chosen
  for module in "$@"; do
    case "$module" in
      --all) all=yes ;;
      -*) fail "kv check takes --all and names of modules, not $module." ;;
      *) require_module "$module"; modules+=("$module") ;;
    esac
  done
  find_jdk
  need mvn maven "3.8.7 or newer"
  if [[ -n "$all" ]]; then
    chosen="$(all_modules)"
  elif ((${#modules[@]} > 0)); then
    chosen="$(printf '%s\n' "${modules[@]}")"
  else
    for module in $(all_modules); do is_checked "$module" || modules+=("$module"); done
    if ((${#modules[@]} == 0)); then
      echo "Nothing has changed since the last green check; kv check --all checks all the same."
      return
    fi
    chosen="$(with_dependents "${modules[@]}")"
  fi
  echo "Checking $(paste -sd ' ' - <<<"$chosen"): format, compile, gates ..."
  local prints="" changed=()
  for module in $chosen; do
    prints+="$module $(fingerprint "$module")"$'\n'
    is_checked "$module" || changed+=("$module")
  done
  build_with_gates -pl "$(paste -sd , - <<<"$chosen"),testing" -am test-compile
  run_built_tests check $chosen
  mkdir -p "$root/$checked"
  # What depends on a changed module, and was not asked for, is to be checked again.
  for module in $(with_dependents ${changed[@]+"${changed[@]}"}); do rm -f "$root/$checked/$module"; done
  while read -r module print; do
    if [[ -n "$module" ]]; then echo "$print" >"$root/$checked/$module"; fi
  done <<<"$prints"
}

# kv test [--full] [--coverage] [--only CLASS] [--slots N] [module...]
run_tests() {
  local lane=test modules=() flags=()
  while (($# > 0)); do
    case "$1" in
      --full) lane=full ;;
      --coverage) flags+=("$1") ;;
      --only | --slots) (($# > 1)) || fail "$1 needs a value."; flags+=("$1" "$2"); shift ;;
      -*) fail "kv test takes --full, --coverage, --only CLASS, --slots N and names of modules, not $1." ;;
      *) require_module "$1"; modules+=("$1") ;;
    esac
    shift
  done
  find_jdk
  need mvn maven "3.8.7 or newer"
  need_node "the tests run Azurite on it"
  need npm npm "it installs Azurite for the tests"
  need openssl openssl "the tests make certificates with it"
  need curl curl "the tests ask a data plane over HTTPS with it"
  ((${#modules[@]} > 0)) || modules=($(all_modules))
  # A kube-apiserver is built by the first test that needs it: 10 minutes in which nothing is heard.
  [[ "$lane" != full ]] || flags+=(--silence 1800)
  echo "Building with all gates ..."
  build_for_tests
  run_built_tests "$lane" ${flags[@]+"${flags[@]}"} "${modules[@]}"
}

# The programs under test, what they start faster with, and all tests.
build_for_tests() {
  local began="$root/target/kv.stamp.$$"
  mkdir -p "$root/target"
  if is_stale || tests_are_stale; then
    built_with >"$began"
    build_with_gates package
    mv "$began" "$root/target/kv.stamp"
    train
    touch "$root/target/tests.stamp"
  fi
}

tests_are_stale() {
  local stamp="$root/target/tests.stamp"
  [[ -e "$stamp" && ! -e "$root/$quick" ]] || return 0
  [[ -n "$(find "$root"/*/src/test -newer "$stamp" -print 2>/dev/null | head -n 1)" ]]
}
