#!/usr/bin/env bash
# What JVM flags are worth to readers: speed.sh JAVA17 JAVA25 JAR ENDPOINT KEY RESOURCE, the Javas as the folders of JDKs,
# the jar of the SDK, and a data plane that runs, as kv up prints it. Five rounds, the Javas in turns.
set -euo pipefail
java17=$1 java25=$2 jar=$3
shift 3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
slf4j=$(find "${HOME}/.m2/repository/org/slf4j/slf4j-api" -name 'slf4j-api-2*.jar' | head -1)
classes=$(mktemp -d)
trap 'rm -rf "$classes"' EXIT
"$java17/bin/javac" -cp "$jar" -d "$classes" "$here/ReadSpeed.java"
flags=(--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow
  --add-opens java.base/java.nio=ALL-UNNAMED --add-opens java.base/jdk.internal.misc=ALL-UNNAMED
  -Ddev.kvstore.client.shaded.io.netty.tryReflectionSetAccessible=true -Ddev.kvstore.client.shaded.io.netty.noUnsafe=false)
for round in 1 2 3 4 5; do
  printf '%s 17, no flags: ' "$round"; "$java17/bin/java" -cp "$classes:$jar:$slf4j" ReadSpeed "$@" 2>/dev/null
  printf '%s 25, no flags: ' "$round"; "$java25/bin/java" -cp "$classes:$jar:$slf4j" ReadSpeed "$@" 2>/dev/null
  printf '%s 25, flags:    ' "$round"; "$java25/bin/java" "${flags[@]}" -cp "$classes:$jar:$slf4j" ReadSpeed "$@" 2>/dev/null
done
