package dev.kvstore.launcher.stack;

import dev.kvstore.launcher.IoReason;
import dev.kvstore.launcher.JvmOptions;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.process.Ports;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Storage and data planes of this machine, with one tenant that may use them. Starting and closing are for one thread;
 * the data planes may be used from any.
 *
 * <p>What was stored stays in the folder, and is there again for the next stack that is started in it.
 */
public final class LocalStack implements AutoCloseable {
    /** The tenant of every local stack. */
    public static final String TENANT = "local";

    /** The name under which clients find the storage. */
    public static final String RESOURCE = "demo";

    // Blocks lie off the heap, and how much of that a data plane uses is bounded by its settings alone.
    private static final List<String> JVM =
            List.of("-Xmx512m", "-XX:MaxDirectMemorySize=1t", "-XX:+ExitOnOutOfMemoryError");

    // Two data planes cannot share a folder.
    private static final String DISK = "KVSTORE_DISK_PATH";

    private static final List<String> TLS = List.of("KVSTORE_TLS_CERT", "KVSTORE_TLS_KEY", "KVSTORE_TLS_CLIENT_CA");

    // Modest, so that two and their client fit a laptop; what the user's environment says goes before.
    private static final Map<String, String> SETTINGS = Map.of(
            "KVSTORE_DRAM", "384M",
            "KVSTORE_TRANSFER", "256M",
            "KVSTORE_INBOUND", "128M",
            "KVSTORE_UNARY_SEND", "128M");

    private final StackFolder folder;
    private final StackStorage storage;
    private final ApiKey key;
    private final List<DataPlane> dataPlanes = new ArrayList<>();
    private final List<Duration> startTimes = new ArrayList<>();

    private LocalStack(StackFolder folder, StackStorage storage, ApiKey key) {
        this.folder = folder;
        this.storage = storage;
        this.key = key;
    }

    /**
     * Starts everything and waits until it takes work. What was started is stopped again when a part fails.
     *
     * @param random a {@code SecureRandom}: the tenant's key comes from it
     * @throws LaunchException if a part cannot be started, with the way out
     */
    public static LocalStack start(StackOptions options, RandomGenerator random) throws InterruptedException {
        try {
            LocalStack stack = prepare(options, random);
            try {
                stack.startDataPlanes(options, random);
                return stack;
            } catch (Throwable e) {
                stack.close();
                throw e;
            }
        } catch (IOException e) {
            throw new LaunchException(
                    "the stack in " + options.folder() + " cannot be started: " + IoReason.withFile(e), e);
        }
    }

    private static LocalStack prepare(StackOptions options, RandomGenerator random)
            throws IOException, InterruptedException {
        StackFolder folder = StackFolder.take(options.folder());
        try {
            ApiKey key = folder.key(random);
            return new LocalStack(folder, StackStorage.start(options.storage(), folder), key);
        } catch (Throwable e) {
            folder.close();
            throw e;
        }
    }

    private void startDataPlanes(StackOptions options, RandomGenerator random)
            throws IOException, InterruptedException {
        PrivateFile.write(
                folder.accounts(),
                Accounts.of(TENANT, key, RESOURCE, storage.account()).toJson());
        Path jar = options.home().dataPlaneJar();
        int first = options.firstPort() == 0
                ? Ports.free(random, options.dataPlanes(), 0, DataPlane.HTTP_OFFSET)
                : options.firstPort();
        for (int port = first; port < first + options.dataPlanes(); port++) {
            List<String> command = command(jar, port, options.dataPlaneFlags());
            Map<String, String> environment = environment(options, port - first);
            dataPlanes.add(DataPlane.start(port, command, environment, folder.log("data-plane-" + port)));
        }
        for (DataPlane dataPlane : dataPlanes) {
            startTimes.add(dataPlane.awaitReady());
        }
    }

    private Map<String, String> environment(StackOptions options, int index) {
        Map<String, String> environment = new HashMap<>(SETTINGS);
        environment.keySet().removeAll(System.getenv().keySet());
        // They listen on loopback, in clear, whatever the environment says of others.
        TLS.forEach(setting -> environment.put(setting, ""));
        environment.putAll(storage.environment());
        String disk = System.getenv(DISK);
        if (disk != null) {
            environment.put(DISK, Path.of(disk, "data-plane-" + index).toString());
        }
        environment.putAll(options.settings());
        return environment;
    }

    private List<String> command(Path jar, int port, List<String> flags) {
        List<String> command = new ArrayList<>(JvmOptions.java(JVM));
        command.addAll(List.of("-jar", jar.toString()));
        command.addAll(List.of("--host", "127.0.0.1", "--port", Integer.toString(port)));
        command.addAll(List.of("--http-port", Integer.toString(port + DataPlane.HTTP_OFFSET)));
        command.addAll(List.of("--accounts", folder.accounts().toString()));
        // It would keep its ports if this process were killed.
        command.add("--end-with-parent");
        command.addAll(flags);
        return List.copyOf(command);
    }

    public List<DataPlane> dataPlanes() {
        return List.copyOf(dataPlanes);
    }

    public DataPlane dataPlane(int index) {
        return dataPlanes.get(index);
    }

    /** host:port of every data plane. */
    public List<String> endpoints() {
        return dataPlanes.stream().map(DataPlane::endpoint).toList();
    }

    /** From start to ready, of every data plane. */
    public List<Duration> startTimes() {
        return List.copyOf(startTimes);
    }

    public ApiKey key() {
        return key;
    }

    /** For people: the folder or the address of the storage. */
    public String storagePlace() {
        return storage.place();
    }

    /** Stops the data planes, then the storage; the folder stays. */
    @Override
    public void close() {
        try (folder;
                storage) {
            dataPlanes.parallelStream().forEach(DataPlane::stop);
        } catch (IOException e) {
            throw new LaunchException("the stack's folder could not be given back: " + e.getMessage(), e);
        }
    }
}
