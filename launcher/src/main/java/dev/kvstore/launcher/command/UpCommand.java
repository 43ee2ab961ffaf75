package dev.kvstore.launcher.command;

import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.ReportFile;
import dev.kvstore.launcher.StopSignal;
import dev.kvstore.launcher.UserEnvironment;
import dev.kvstore.launcher.WritablePath;
import dev.kvstore.launcher.stack.ControlPorts;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackLayout;
import dev.kvstore.launcher.stack.StackOptions;
import dev.kvstore.launcher.stack.StackReport;
import dev.kvstore.launcher.stack.StorageKind;
import dev.kvstore.launcher.stack.StorageLatency;
import dev.kvstore.launcher.stack.Supervisor;
import dev.kvstore.settings.Version;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kv up}: runs a local stack until Ctrl-C. */
@Command(
        name = "up",
        description =
                "A local stack until Ctrl-C: storage, a control plane and data planes, with one tenant and its API"
                        + " key.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
final class UpCommand implements Callable<Integer> {
    private static final int MAX_ROUND_TRIP = 10_000;

    @Option(
            names = "--storage",
            converter = StorageKind.Converter.class,
            paramLabel = "KIND",
            defaultValue = "filesystem",
            description = "Storage of the blocks: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private StorageKind storage = StorageKind.FILESYSTEM;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description =
                    "Folder for blocks, registrations, keys and logs; the next start uses it again. Default: target/kv-up in the"
                            + " checkout, which lasts until mvn clean.")
    private @Nullable Path data;

    @Option(
            names = "--data-planes",
            paramLabel = "N",
            defaultValue = "2",
            description = "Data planes in each region, up to " + StackLayout.MAX_DATA_PLANES
                    + " in all. Default: ${DEFAULT-VALUE}.")
    private int dataPlanes;

    @Option(
            names = "--regions",
            paramLabel = "N",
            defaultValue = "1",
            description = "Regions, 1 to " + StackLayout.MAX_REGIONS
                    + ", each with a storage of its own; the first is home. Default: ${DEFAULT-VALUE}.")
    private int regions;

    @Option(
            names = "--round-trip",
            paramLabel = "MS",
            defaultValue = "60",
            description =
                    "Round trip between regions in milliseconds, 0 to 10000: clients reach data planes of another region over"
                            + " connections that are that much slower. Default: ${DEFAULT-VALUE}.")
    private int roundTrip;

    @Option(
            names = "--added-storage-latency",
            paramLabel = "get=T,put=T",
            defaultValue = "",
            description = "Time that is added to every read from and write to the storage, as in"
                    + " get=20ms,put=40ms: a storage that is far away. Default: none.")
    private String addedStorageLatency = "";

    @Option(
            names = "--port",
            paramLabel = "P",
            defaultValue = "" + StackOptions.DEFAULT_PORT,
            description =
                    "Port of the first data plane; the others follow. Each also uses the port 1000 above for health and"
                            + " metrics. 0 for free ports. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Option(
            names = "--rest-port",
            paramLabel = "P",
            defaultValue = "" + ControlPorts.DEFAULT_REST,
            description = "Port of the control plane for admins; 0 for a free port. Default: ${DEFAULT-VALUE}.")
    private int restPort;

    @Option(
            names = "--control-port",
            paramLabel = "P",
            defaultValue = "" + ControlPorts.DEFAULT_GRPC,
            description = "Port of the control plane for data planes; 0 for a free port. Default: ${DEFAULT-VALUE}.")
    private int controlPort;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Write where and with which keys to this file, once all is ready; deleted at the end.")
    private @Nullable Path json;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        Home home = Home.current();
        Path folder = Objects.requireNonNullElse(data, home.stack());
        if (roundTrip < 0 || roundTrip > MAX_ROUND_TRIP) {
            throw new IllegalArgumentException("--round-trip: must be 0 to " + MAX_ROUND_TRIP + ", not " + roundTrip);
        }
        StackLayout layout = StackLayout.of(regions, dataPlanes, Duration.ofMillis(roundTrip));
        StackOptions options = new StackOptions(
                        home,
                        folder,
                        storage,
                        layout,
                        port,
                        Map.of(),
                        Map.of(),
                        new ControlPorts(restPort, controlPort),
                        false)
                .withStorageLatency(StorageLatency.parse(addedStorageLatency));
        WritablePath.requireFolder("--data", folder);
        ReportFile file = ReportFile.of(json);
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        UserEnvironment.warn(line -> err.println("kv: " + line));
        err.println("kv: starting ...");
        return StopSignal.guard(err, () -> run(options, file, out, err));
    }

    private static Integer run(StackOptions options, ReportFile file, PrintWriter out, PrintWriter err)
            throws InterruptedException {
        try (LocalStack stack = LocalStack.start(options, new SecureRandom());
                Supervisor supervisor = Supervisor.of(stack, line -> err.println("kv: " + line))) {
            Objects.requireNonNull(supervisor);
            StackReport report = StackReport.of(stack, options);
            file.write(report.json());
            out.print(report.text());
            out.flush();
            // The wait ends when Ctrl-C interrupts it.
            new CountDownLatch(1).await();
            return 0;
        } finally {
            file.deleteOwn();
        }
    }
}
