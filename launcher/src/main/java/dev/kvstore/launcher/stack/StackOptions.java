package dev.kvstore.launcher.stack;

import dev.kvstore.launcher.Home;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a local stack is made of. Immutable.
 *
 * @param home whose built data plane runs
 * @param folder holds everything of the stack: storage, accounts, key, logs
 * @param dataPlanes how many, 1 to 64
 * @param firstPort of the first data plane, the others follow; 0 for free ports
 * @param dataPlaneFlags added to every data plane's command line
 * @param settings of every data plane, by the names of environment variables, such as {@code KVSTORE_DRAM}
 * @param control where a control plane listens, of which the data planes learn who may do what; null for none: then they
 *     read it in a file, and are ready sooner
 */
public record StackOptions(
        Home home,
        Path folder,
        StorageKind storage,
        int dataPlanes,
        int firstPort,
        List<String> dataPlaneFlags,
        Map<String, String> settings,
        @Nullable ControlPorts control) {
    /** The port at which data planes have always been found. */
    public static final int DEFAULT_PORT = 8085;

    /** The most data planes of one stack. */
    public static final int MAX_DATA_PLANES = 64;

    /**
     * @throws IllegalArgumentException if a number is out of its range
     */
    public StackOptions {
        if (dataPlanes < 1 || dataPlanes > MAX_DATA_PLANES) {
            throw new IllegalArgumentException(
                    "--data-planes: must be 1 to " + MAX_DATA_PLANES + ", not " + dataPlanes);
        }
        int highest = 65_535 - DataPlane.HTTP_OFFSET - dataPlanes + 1;
        if (firstPort < 0 || firstPort > highest) {
            throw new IllegalArgumentException("--port: must be 0 to " + highest + ", not " + firstPort);
        }
        folder = folder.toAbsolutePath().normalize();
        dataPlaneFlags = List.copyOf(dataPlaneFlags);
        settings = Map.copyOf(settings);
    }

    /** Data planes alone, with the settings that every local stack has. */
    public StackOptions(
            Home home, Path folder, StorageKind storage, int dataPlanes, int firstPort, List<String> dataPlaneFlags) {
        this(home, folder, storage, dataPlanes, firstPort, dataPlaneFlags, Map.of(), null);
    }

    /** Two data planes over a folder, on free ports: what a test wants. */
    public static StackOptions onFreePorts(Home home, Path folder) {
        return new StackOptions(home, folder, StorageKind.FILESYSTEM, 2, 0, List.of());
    }

    public StackOptions withStorage(StorageKind kind) {
        return new StackOptions(home, folder, kind, dataPlanes, firstPort, dataPlaneFlags, settings, control);
    }

    public StackOptions withDataPlanes(int count) {
        return new StackOptions(home, folder, storage, count, firstPort, dataPlaneFlags, settings, control);
    }

    public StackOptions withDataPlaneFlags(String... flags) {
        return new StackOptions(home, folder, storage, dataPlanes, firstPort, List.of(flags), settings, control);
    }

    public StackOptions withSettings(Map<String, String> settings) {
        return new StackOptions(home, folder, storage, dataPlanes, firstPort, dataPlaneFlags, settings, control);
    }

    /** With a control plane. */
    public StackOptions withControlPlane(ControlPorts ports) {
        return new StackOptions(home, folder, storage, dataPlanes, firstPort, dataPlaneFlags, settings, ports);
    }
}
