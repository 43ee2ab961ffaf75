#!/bin/sh
# Makes a Python environment with SGLang's Python code, for the tests marked "engine".
# Needs 7 GB and 4 minutes.
#
#   engines/install.sh ENVIRONMENT [VERSION]
#
# SGLang's kernels need a GPU, and those for CPUs are not on PyPI. SGLang computes with torch instead, and engines/cpu
# has what it needs besides. vLLM for CPUs has most of the packages that SGLang imports, torch among them.
set -eu

environment=${1:?"name the folder of the environment: engines/install.sh ENVIRONMENT [VERSION]"}
version=${2:-0.5.23}
here=$(cd "$(dirname "$0")/.." && pwd)

"$here/../kvstore-vllm/engines/install.sh" "$environment"
pip="$environment/bin/pip --disable-pip-version-check"
done="$environment/sglang-$version"

if [ ! -e "$done" ]; then
    $pip install --quiet --no-deps "sglang==$version" gguf
    $pip install --quiet orjson ipython soundfile
    touch "$done"
fi
$pip install --quiet -e "$here/../kvstore-client" -e "$here[test]" -e "$here/engines/cpu"
