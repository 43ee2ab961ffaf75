#!/bin/sh
# Checks the connector on a machine with a GPU: the same output with and without it, hits, CUDA graphs on, copy rates.
# Nobody has run it on a GPU yet; without one it does the same on the CPU, and says so.
#
#   engines/gpu-check.sh ENVIRONMENT [MODEL]
#
# ENVIRONMENT is a Python environment with vLLM, as of "pip install vllm" or of install.sh. MODEL is a folder with a
# model; without it, one with random weights is made. Needs a JDK 25 and Maven for the service, which it starts.
set -eu

environment=${1:?"name a Python environment with vLLM: engines/gpu-check.sh ENVIRONMENT [MODEL]"}
here=$(cd "$(dirname "$0")/.." && pwd)

"$environment/bin/python" -c 'import vllm' 2>/dev/null || {
    echo "$environment/bin/python has no vLLM: install it, or run engines/install.sh $environment" >&2
    exit 2
}
"$environment/bin/python" -c 'import kvstore_vllm' 2>/dev/null ||
    "$environment/bin/pip" --disable-pip-version-check install --quiet -e "$here/../kvstore-client" -e "$here"
exec "$environment/bin/python" "$here/engines/gpu_check.py" ${2:+"$2"}
