#!/bin/sh
# Makes a Python environment with LMCache and vLLM for CPUs, for the tests marked "engine".
# Needs 7 GB and 5 minutes.
#
#   engines/install.sh ENVIRONMENT [VERSION]
#
# LMCache's wheels are builds for CUDA, so this script builds LMCache without it. Its requirements and vLLM's exclude
# each other in their versions of numpy, protobuf and OpenTelemetry; vLLM's are kept, with which LMCache's server runs.
set -eu

environment=${1:?"name the folder of the environment: engines/install.sh ENVIRONMENT [VERSION]"}
version=${2:-0.5.6}
here=$(cd "$(dirname "$0")/.." && pwd)

"$here/../kvstore-vllm/engines/install.sh" "$environment"
pip="$environment/bin/pip --disable-pip-version-check"
done="$environment/lmcache-$version"

if [ ! -e "$done" ]; then
    $pip install --quiet 'setuptools>=77,<81' setuptools_scm wheel ninja packaging
    # Its build makes code of .proto files. Without its requirements, which would change vLLM's protobuf.
    $pip install --quiet --no-deps grpcio-tools
    NO_GPU_EXT=1 SETUPTOOLS_SCM_PRETEND_VERSION="$version" $pip install --quiet --no-build-isolation --no-deps \
        --no-binary lmcache "lmcache==$version"
    # grpcio-observability, for metrics of a transport that the tests do not use, asks for one version of grpcio.
    "$environment/bin/python" "$here/engines/lacking.py" lmcache grpcio-observability > "$environment/lacking.txt"
    $pip install --quiet -r "$environment/lacking.txt"
    site=$("$environment/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
    cp "$here/engines/llvmlite_without_dict.py" "$site/"
    echo 'import llvmlite_without_dict' > "$site/llvmlite_without_dict.pth"
    touch "$done"
fi
$pip install --quiet -e "$here/../kvstore-client" -e "$here[test]"
