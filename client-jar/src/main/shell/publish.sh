# "kv publish": builds what others depend on, and deploys it into a folder. Sourced by kv, after the checks.

publish_usage() {
  cat <<'TEXT'
Usage: kv publish [--sign] FOLDER
       kv publish --python FOLDER

Builds the Java SDK as others depend on it, dev.kvstore:kvstore-client and dev.kvstore:kvstore-bom,
with all gates and no tests, and adds both to the Maven repository in this folder, which is made
where there is none: jar, sources, Javadoc, bill of materials (CycloneDX), checksums.

  --sign    also signatures, with the default key of gpg, as Maven Central asks for
  --python  instead, the wheels of the Python client and of the engines' connectors, as PyPI takes
            them, and their SHA256SUMS; needs Python 3.10 or newer with venv, and a package index
TEXT
}

# Each module as its build begins, in place of minutes of silence.
shown() {
  local line
  while IFS= read -r line; do
    if [[ "$line" =~ ^\[INFO\]\ Building\ (KV\ Store.*[^\ ])\ +\[([0-9]+/[0-9]+)\]$ ]]; then
      echo "  ${BASH_REMATCH[2]} ${BASH_REMATCH[1]}"
    fi
  done
}

# kv publish --python FOLDER
publish_wheels() {
  (($# == 1)) || fail "kv publish --python needs one folder: kv publish --python FOLDER."
  need python3 python3 "3.10 or newer; it builds the wheels"
  python3 "$root/client-python/kvstore-client/tools/wheels.py" "$1" || fail "the wheels could not be built; why is above."
  echo "The wheels of $(version) are in the folder $1, and their digests in its SHA256SUMS"
}

# kv publish [--sign] FOLDER
run_publish() {
  if [[ "${1:-}" == --python ]]; then
    publish_wheels "${@:2}"
    return
  fi
  local folder="" flags=()
  while (($# > 0)); do
    case "$1" in
      --sign) flags+=(-Prelease) ;;
      -*) fail "kv publish takes --sign or --python, and a folder, not $1." ;;
      *)
        [[ -z "$folder" ]] || fail "kv publish takes one folder; $1 is a second one."
        folder="$1"
        ;;
    esac
    shift
  done
  [[ -n "$folder" ]] || fail "kv publish needs the folder of a Maven repository: kv publish FOLDER."
  find_jdk
  need mvn maven "3.8.7 or newer"
  [[ " ${flags[*]-} " != *" -Prelease "* ]] || need gpg gnupg "it signs"
  mkdir -p "$folder" || fail "$folder: this folder cannot be made."
  folder="$(cd "$folder" && pwd)"
  echo "Building with all checks of the code, which takes some minutes; target/gates.log has what Maven says ..."
  # Nothing goes into the repository of this machine, where other checkouts would find it.
  build_with_gates ${flags[@]+"${flags[@]}"} -Dmaven.test.skip -Dmaven.install.skip \
    "-DaltDeploymentRepository=kvstore::file:$folder" -pl client-jar,bom -am deploy
  echo "dev.kvstore:kvstore-client and dev.kvstore:kvstore-bom $(version) are in the repository file:$folder"
}
