#!/bin/sh
# Makes a Debian or Ubuntu what a machine of KV Store is started from: install.sh ARCHIVE, as root, where packages can be
# loaded. ARCHIVE is what "kv image --machine" wrote. Machines load nothing when they start: they reach no mirror.
# Data planes and control planes have one image; cloud-init copies and enables the units of the one that a machine is.
set -eu
[ $# -eq 1 ] && [ -r "$1" ] || { echo "Usage: install.sh ARCHIVE: give the file that kv image --machine wrote" >&2; exit 2; }
export DEBIAN_FRONTEND=noninteractive

# Of Prometheus only the program is wanted, and no server with the package's own settings. The timers would only fail
# without mirrors: patches come with the next image.
systemctl mask prometheus.service apt-daily.timer apt-daily-upgrade.timer

# A machine that has just started may be loading packages itself.
packages() {
  apt-get -q -y -o DPkg::Lock::Timeout=600 "$@"
}
packages update
packages upgrade
# ca-certificates: authorities of the database. chrony: certificates and leases go by the clock. cloud-init: files of a
# machine. e2fsprogs, util-linux, xfsprogs: kv-disk. iproute2, procps: kv-cards. numactl: memory of one NUMA node.
packages install --no-install-recommends \
  ca-certificates chrony cloud-init e2fsprogs iproute2 numactl procps prometheus util-linux xfsprogs
packages clean

id kv > /dev/null 2>&1 || useradd --system --no-create-home --shell /usr/sbin/nologin kv
rm -rf /opt/kv
tar -xzf "$1" -C /opt --no-same-owner
# Shows that its Java runs on this system.
/opt/kv/kv --version
