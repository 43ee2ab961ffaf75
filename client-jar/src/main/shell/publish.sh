# "kv publish": builds what others depend on, and deploys it into a folder. Sourced by kv, after the checks.

publish_usage() {
  cat <<'TEXT'
Usage: kv publish [--sign] FOLDER

Builds the Java SDK as others depend on it, dev.kvstore:kvstore-client and dev.kvstore:kvstore-bom,
with all gates and no tests, and adds both to the Maven repository in this folder, which is made
where there is none: jar, sources, Javadoc, bill of materials (CycloneDX), checksums.

  --sign   also signatures, with the default key of gpg, as Maven Central asks for
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

# kv publish [--sign] FOLDER
run_publish() {
  local folder="" flags=()
  while (($# > 0)); do
    case "$1" in
      --sign) flags+=(-Prelease) ;;
      -*) fail "kv publish takes --sign and a folder, not $1." ;;
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
