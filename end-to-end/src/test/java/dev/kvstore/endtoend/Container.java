package dev.kvstore.endtoend;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A process as a kubelet has a container see it: a read-only root, mounts, an own /proc, a user without a name and
 * without any capability, and perhaps a network and limits. Immutable.
 *
 * @param root the image's file system
 * @param mounts kind, source and target of each, one after the other: see {@link #SCRIPT}
 * @param user of the process
 * @param group another one of the process, as fsGroup
 * @param name of the host that the process believes to be on, empty for this machine's
 * @param network the name of a network namespace, empty for this machine's
 */
record Container(Path root, List<String> mounts, int user, int group, String name, String network, PodLimits limits) {
    private static final String SCRIPT = """
            set -e; root="$1" user="$2" group="$3" name="$4" cgroups="$5"; shift 5
            [ -z "$name" ] || hostname "$name"
            mkdir -p "$root/proc" "$root/dev" "$root/tmp"
            for cgroup in $cgroups; do
              echo 0 > "$cgroup/cgroup.procs"
              mkdir -p "$root/sys/fs/cgroup/$(basename "$(dirname "$cgroup")")"
            done
            mount --bind "$root" "$root"
            mount -t proc proc "$root/proc"
            mount -t tmpfs dev "$root/dev"
            for device in null zero random urandom; do
              touch "$root/dev/$device"; mount --bind "/dev/$device" "$root/dev/$device"
            done
            if [ -n "$cgroups" ] && [ -d /sys/fs/cgroup/memory ]; then
              # Java asks all of these, or believes none.
              for part in cpuset cpuacct; do
                mkdir -p "$root/sys/fs/cgroup/$part"
                mount --bind -o ro "/sys/fs/cgroup/$part" "$root/sys/fs/cgroup/$part"
              done
            fi
            for cgroup in $cgroups; do
              mount --bind -o ro "$cgroup" "$root/sys/fs/cgroup/$(basename "$(dirname "$cgroup")")"
            done
            while [ "$1" != -- ]; do
              if [ -f "$2" ]; then mkdir -p "$(dirname "$root$3")"; touch "$root$3"; else mkdir -p "$root$3"; fi
              case "$1" in
                memory) mount -t tmpfs -o "size=$2,mode=2777,gid=$group" memory "$root$3" ;;
                read) mount --bind "$2" "$root$3"; mount -o remount,bind,ro "$root$3" ;;
                write) mount --bind "$2" "$root$3" ;;
              esac
              shift 3
            done
            shift
            mount -o remount,bind,ro "$root"
            exec setpriv --no-new-privs chroot --userspec="$user:$user" --groups="$group" "$root" "$@"
            """;

    /** With memory for /tmp, and a user that no image knows. */
    static Container of(Path root) {
        return new Container(root, List.of("memory", "256M", "/tmp"), 54_321, 54_321, "", "", PodLimits.NONE);
    }

    static void requireRoot() {
        assumeTrue(System.getProperty("user.name").equals("root"), "missing: root, who may make namespaces");
        for (String program : List.of("unshare", "setpriv", "nsenter")) {
            assumeTrue(GoTool.isOnPath(program), "missing: " + program + ", of the package util-linux");
        }
    }

    Container with(String kind, Object source, String target) {
        List<String> more = new ArrayList<>(mounts);
        more.addAll(List.of(kind, source.toString(), target));
        return new Container(root, List.copyOf(more), user, group, name, network, limits);
    }

    /**
     * Starts a process with nothing but this environment; its outputs go to the log.
     *
     * @param before what its command line begins with
     */
    Process start(Map<String, String> environment, List<String> command, Path log, String... before)
            throws IOException {
        List<String> whole = new ArrayList<>(List.of(before));
        if (!network.isEmpty()) {
            whole.addAll(List.of("nsenter", "--net=/run/netns/" + network));
        }
        whole.addAll(List.of("unshare", "--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child"));
        whole.addAll(List.of("bash", "-c", SCRIPT, "container", root.toString(), "" + user, "" + group, name));
        whole.add(String.join(" ", limits.folders()));
        whole.addAll(mounts);
        whole.add("--");
        whole.addAll(command);
        ProcessBuilder builder =
                new ProcessBuilder(whole).redirectErrorStream(true).redirectOutput(log.toFile());
        String path = System.getenv("PATH");
        builder.environment().clear();
        builder.environment().put("PATH", path);
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        return process;
    }

    /** Ends a container at once. */
    static void kill(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
    }
}
