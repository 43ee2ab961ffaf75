package dev.kvstore.launcher.stack;

import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.Program;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The options of a local stack. Immutable.
 *
 * @param home the checkout whose built programs run
 * @param folder the folder with everything of the stack: storage, accounts, key, logs
 * @param layout the places of the data planes; in more than one region only with a control plane
 * @param firstPort the port of the first data plane, after which the others follow; 0 for free ports
 * @param jvm further flags for the java of each program
 * @param settings the settings of every data plane, by the names of environment variables, such as {@code
 *     KVSTORE_MEMORY_TIER_SIZE}; a {@code KVSTORE_DISK_TIER_SIZE} without a {@code KVSTORE_DISK_TIER_PATH} gives each
 *     data plane a folder of its own in {@code folder}
 * @param control the ports of a control plane, from which the data planes learn keys and rights; null for none: then
 *     they read keys and rights from a file, and are ready sooner
 * @param platformToken whether the control plane takes a token that makes its bearer a data plane of any cluster, for
 *     benchmarks
 */
public record StackOptions(
        Home home,
        Path folder,
        StorageKind storage,
        StackLayout layout,
        int firstPort,
        Map<Program, List<String>> jvm,
        Map<String, String> settings,
        @Nullable ControlPorts control,
        boolean platformToken) {
    /** The usual port of data planes. */
    public static final int DEFAULT_PORT = 8085;

    /**
     * @throws IllegalArgumentException if a number is out of its range
     */
    public StackOptions {
        int highest = 65_535 - StackDataPlane.HTTP_OFFSET - layout.seats().size() + 1;
        if (firstPort < 0 || firstPort > highest) {
            throw new IllegalArgumentException("--port: must be 0 to " + highest + ", not " + firstPort);
        }
        if (layout.isSpread() && control == null) {
            throw new IllegalArgumentException("--regions: only a control plane knows of more than one");
        }
        folder = folder.toAbsolutePath().normalize();
        jvm = Map.copyOf(jvm);
        settings = Map.copyOf(settings);
    }

    /** Options for data planes alone, with the settings of every local stack. */
    public StackOptions(Home home, Path folder, StorageKind storage, StackLayout layout, int firstPort) {
        this(home, folder, storage, layout, firstPort, Map.of(), Map.of(), null, false);
    }

    /** Options for two data planes over a folder, on free ports, as tests need them. */
    public static StackOptions onFreePorts(Home home, Path folder) {
        return new StackOptions(home, folder, StorageKind.FILESYSTEM, StackLayout.single(2), 0);
    }

    public StackOptions withStorage(StorageKind kind) {
        return new StackOptions(home, folder, kind, layout, firstPort, jvm, settings, control, platformToken);
    }

    public StackOptions withDataPlanes(int count) {
        return withLayout(StackLayout.single(count));
    }

    public StackOptions withLayout(StackLayout layout) {
        return new StackOptions(home, folder, storage, layout, firstPort, jvm, settings, control, platformToken);
    }

    /** These options with flags for every java of the stack, by program. */
    public StackOptions withJvm(Map<Program, List<String>> flags) {
        return new StackOptions(home, folder, storage, layout, firstPort, flags, settings, control, platformToken);
    }

    /** These options with further settings, which replace those of the same name. */
    public StackOptions withSettings(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(settings);
        all.putAll(more);
        return new StackOptions(home, folder, storage, layout, firstPort, jvm, all, control, platformToken);
    }

    /** These options with a storage that has this latency. */
    public StackOptions withStorageLatency(StorageLatency latency) {
        return withSettings(latency.settings());
    }

    /** These options with a control plane. */
    public StackOptions withControlPlane(ControlPorts ports) {
        return new StackOptions(home, folder, storage, layout, firstPort, jvm, settings, ports, platformToken);
    }

    /** These options with a token that makes its bearer a data plane of any cluster. */
    public StackOptions withPlatformToken() {
        return new StackOptions(home, folder, storage, layout, firstPort, jvm, settings, control, true);
    }
}
