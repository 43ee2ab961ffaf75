package dev.kvstore.launcher.stack;

import dev.kvstore.launcher.IoReason;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.Program;
import dev.kvstore.launcher.UserEnvironment;
import dev.kvstore.launcher.link.LongLink;
import dev.kvstore.launcher.process.Ports;
import dev.kvstore.launcher.rest.AdminException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Storage and data planes of this machine, with one tenant that may use them; with a control plane if the options say
 * so. One thread starts and closes the stack; any thread may use the data planes.
 *
 * <p>Stored blocks stay in the folder, and the next stack in the same folder has them.
 */
public final class LocalStack implements AutoCloseable {
    /** The tenant of every local stack. */
    public static final String TENANT = "local";

    /** The name under which clients find the storage. */
    public static final String RESOURCE = "demo";

    // Blocks lie off the heap.
    private static final String DATA_PLANE_HEAP = "-Xmx512m";

    // Two data planes cannot share a folder.
    private static final String DISK_PATH = "KVSTORE_DISK_TIER_PATH";

    // Variables that are for other programs: the programs of a stack listen on loopback, in clear, and know their own
    // control plane.
    private static final List<String> NOT_THEIRS = List.of(
            "KVSTORE_TLS_CERT",
            "KVSTORE_TLS_KEY",
            "KVSTORE_TLS_CLIENT_CA",
            "KVSTORE_CONTROL_PLANE_CA",
            "KVSTORE_JOIN_TOKEN",
            "KVSTORE_ADMIN_TOKEN",
            "KVSTORE_URL");

    // These settings are modest, so that two data planes and their client fit a laptop; the user's environment has
    // precedence.
    private static final Map<String, String> SETTINGS = Map.of(
            "KVSTORE_MEMORY_TIER_SIZE", "384M",
            "KVSTORE_TRANSFER_MEMORY", "256M",
            "KVSTORE_INBOUND_MEMORY", "128M",
            "KVSTORE_UNREAD_RESPONSE_MEMORY", "128M",
            // Clients of this machine learn of a drain at once.
            "KVSTORE_DRAIN_GRACE_PERIOD", "1s");

    private final StackFolder folder;
    private final StackLayout layout;
    private final Map<String, StackStorage> storages;
    private final Tenancy tenancy;
    private final List<StackDataPlane> dataPlanes = new ArrayList<>();
    private final List<Duration> startTimes = new ArrayList<>();
    private final List<LongLink> links = new ArrayList<>();

    private LocalStack(StackFolder folder, StackLayout layout, Map<String, StackStorage> storages, Tenancy tenancy) {
        this.folder = folder;
        this.layout = layout;
        this.storages = storages;
        this.tenancy = tenancy;
    }

    /**
     * Starts the stack and waits until it takes work. If a part fails, the started parts are stopped again.
     *
     * @param random a {@code SecureRandom}: keys and tokens come from it
     * @throws LaunchException if a part cannot be started, with the way out
     */
    public static LocalStack start(StackOptions options, RandomGenerator random) throws InterruptedException {
        requireFreePorts(options);
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
        } catch (AdminException e) {
            throw new LaunchException("the stack's control plane did not take its tenant: " + e.getMessage(), e);
        }
    }

    /** Checks the ports before any program is started that would have to be stopped again. */
    private static void requireFreePorts(StackOptions options) {
        ControlPorts control = options.control();
        if (control != null) {
            StackControlPlane.requireFree(control);
        }
        if (options.firstPort() != 0) {
            IntStream.range(
                            options.firstPort(),
                            options.firstPort() + options.layout().seats().size())
                    .forEach(StackDataPlane::requireFree);
        }
    }

    private static LocalStack prepare(StackOptions options, RandomGenerator random)
            throws IOException, InterruptedException {
        StackFolder folder = StackFolder.take(options.folder());
        Map<String, StackStorage> storages = new LinkedHashMap<>();
        try {
            for (StackLayout.Region region : options.layout().regions()) {
                storages.put(region.name(), StackStorage.start(options.storage(), folder, region.name()));
            }
            return new LocalStack(folder, options.layout(), storages, tenancy(options, folder, storages, random));
        } catch (Throwable e) {
            storages.values().forEach(StackStorage::close);
            folder.close();
            throw e;
        }
    }

    private static Tenancy tenancy(
            StackOptions options, StackFolder folder, Map<String, StackStorage> storages, RandomGenerator random)
            throws IOException, InterruptedException {
        Map<String, StackAccounts.Storage> accounts = new LinkedHashMap<>();
        storages.forEach((region, storage) -> accounts.put(region, storage.account()));
        ControlPorts control = options.control();
        return control == null
                ? FileTenancy.write(folder, accounts.values().iterator().next(), random)
                : RegisteredTenancy.start(
                        options, java(options, Program.CONTROL_PLANE, List.of()), control, folder, accounts, random);
    }

    private void startDataPlanes(StackOptions options, RandomGenerator random)
            throws IOException, InterruptedException {
        List<String> java = java(options, Program.DATA_PLANE, List.of(DATA_PLANE_HEAP));
        List<StackLayout.Seat> seats = layout.seats();
        int first = options.firstPort() == 0
                ? Ports.free(random, seats.size(), 0, StackDataPlane.HTTP_OFFSET)
                : options.firstPort();
        for (StackLayout.Seat seat : seats) {
            int port = first + seat.index();
            List<String> command = command(java, port, seat);
            dataPlanes.add(StackDataPlane.start(
                    seat, port, command, environment(options, seat), folder.log("data-plane-" + port)));
        }
        for (StackDataPlane dataPlane : dataPlanes) {
            startTimes.add(dataPlane.awaitReady());
        }
        tenancy.awaitReady(dataPlanes.getFirst());
    }

    private static List<String> java(StackOptions options, Program program, List<String> flags) {
        List<String> all = new ArrayList<>(flags);
        all.addAll(options.jvm().getOrDefault(program, List.of()));
        return program.command(program.jar(options.home()), all);
    }

    private Map<String, String> environment(StackOptions options, StackLayout.Seat seat) {
        Map<String, String> environment = new HashMap<>(SETTINGS);
        environment.keySet().removeIf(UserEnvironment::gives);
        NOT_THEIRS.forEach(variable -> environment.put(variable, ""));
        storages.values().forEach(storage -> environment.putAll(storage.environment()));
        environment.putAll(tenancy.environment(seat));
        String disk = UserEnvironment.value(DISK_PATH);
        if (disk != null) {
            environment.put(DISK_PATH, Path.of(disk, seat.process()).toString());
        } else if (options.settings().containsKey("KVSTORE_DISK_TIER_SIZE")) {
            environment.put(DISK_PATH, folder.disk(seat.process()).toString());
        }
        if (layout.isSpread()) {
            environment.put("KVSTORE_ADDED_REGION_LATENCY", layout.roundTrip().toMillis() + "ms");
        }
        environment.putAll(options.settings());
        return environment;
    }

    private List<String> command(List<String> java, int port, StackLayout.Seat seat) throws IOException {
        List<String> command = new ArrayList<>(java);
        command.addAll(List.of("--host", "127.0.0.1", "--port", Integer.toString(port)));
        command.addAll(List.of("--http-port", Integer.toString(port + StackDataPlane.HTTP_OFFSET)));
        command.addAll(tenancy.flags(seat));
        if (layout.isSpread()) {
            LongLink link = LongLink.to(port, layout.roundTrip());
            links.add(link);
            command.addAll(List.of("--advertise-remote", link.address()));
        }
        // Without this flag, the process would keep its ports if this process were killed.
        command.add("--end-with-parent");
        return List.copyOf(command);
    }

    public List<StackDataPlane> dataPlanes() {
        return List.copyOf(dataPlanes);
    }

    public StackDataPlane dataPlane(int index) {
        return dataPlanes.get(index);
    }

    /** The addresses of all data planes, host:port. */
    public List<String> endpoints() {
        return dataPlanes.stream().map(StackDataPlane::endpoint).toList();
    }

    /** The time from start to ready of every data plane. */
    public List<Duration> startTimes() {
        return List.copyOf(startTimes);
    }

    /** The data planes of a region. */
    public List<StackDataPlane> dataPlanes(String region) {
        return dataPlanes.stream()
                .filter(dataPlane -> dataPlane.region().equals(region))
                .toList();
    }

    /** The layout of regions, clusters and data planes. */
    public StackLayout layout() {
        return layout;
    }

    public ApiKey key() {
        return tenancy.key();
    }

    /** The control plane; null if the stack has none. */
    public @Nullable StackControlPlane controlPlane() {
        return tenancy.controlPlane();
    }

    /** The processes that end with the stack, except the storage. */
    List<StackProcess> processes() {
        List<StackProcess> processes = new ArrayList<>(dataPlanes);
        StackControlPlane controlPlane = controlPlane();
        if (controlPlane != null) {
            processes.add(controlPlane);
        }
        return List.copyOf(processes);
    }

    /** The folders or the addresses of the storage, for people. */
    public String storagePlace() {
        return storages.values().stream().map(StackStorage::place).collect(Collectors.joining(", "));
    }

    /** Stops the data planes, then the control plane and its database, then the storage; the folder stays. */
    @Override
    public void close() {
        try (folder;
                Closeable _ = () -> storages.values().forEach(StackStorage::close);
                tenancy) {
            dataPlanes.parallelStream().forEach(StackDataPlane::stop);
            links.forEach(LongLink::close);
        } catch (IOException e) {
            throw new LaunchException("the stack's folder could not be given back: " + e.getMessage(), e);
        }
    }
}
