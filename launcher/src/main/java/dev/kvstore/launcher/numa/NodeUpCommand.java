package dev.kvstore.launcher.numa;

import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.Program;
import dev.kvstore.launcher.ReportFile;
import dev.kvstore.launcher.StopSignal;
import dev.kvstore.launcher.UserEnvironment;
import dev.kvstore.launcher.machine.MachineWatch;
import dev.kvstore.settings.Version;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** {@code kv node up}: runs a data plane on every NUMA node of this machine, until Ctrl-C. */
@Command(
        name = "up",
        customSynopsis = "kv node up [flags of kv node] [--json FILE]",
        description =
                "A data plane on every NUMA node of this machine until Ctrl-C, each bound to its node's CPUs and memory,"
                        + " and started again when it dies.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        footer = {
            "Every other flag goes to each data plane: kv node --help explains them.",
            "Settings are per process; docs/operations/numa.md says how memory is shared."
        })
final class NodeUpCommand implements Callable<Integer> {
    @Option(
            names = "--port",
            paramLabel = "P",
            defaultValue = "8085",
            description = "gRPC port of the first; the others follow. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Option(
            names = "--http-port",
            paramLabel = "P",
            description = "Health and metrics port of the first; the others follow. Default: gRPC port + 1000.")
    private @Nullable Integer httpPort;

    @Option(
            names = "--host",
            paramLabel = "HOST,...",
            defaultValue = "0.0.0.0",
            description = "Address to listen on, or one for each data plane, such as those of several network cards."
                    + " Default: ${DEFAULT-VALUE}.")
    private String host = "";

    @Option(
            names = "--advertise",
            paramLabel = "HOST:PORT,...",
            description =
                    "Address at which clients of the region and other data planes reach the first one, whose port the others"
                            + " follow; or an address for each. Default: --host and its port.")
    private @Nullable String advertise;

    @Option(
            names = "--advertise-remote",
            paramLabel = "HOST:PORT,...",
            description = "The same for clients of other regions. Default: as --advertise.")
    private @Nullable String advertiseRemote;

    @Option(
            names = "--http-host",
            paramLabel = "HOST",
            description =
                    "Address of the health and metrics ports. Default: --host if that is loopback, else 127.0.0.1.")
    private @Nullable String httpHost;

    @Option(
            names = "--health-port",
            paramLabel = "P",
            description =
                    "One HTTP address for the whole machine: /q/health/ready, and /drain for kv node drain. Default: none.")
    private @Nullable Integer healthPort;

    @Option(
            names = "--azure-scheduled-events",
            arity = "0..1",
            paramLabel = "URL",
            fallbackValue = "http://169.254.169.254",
            description =
                    "Drain before Azure ends, restarts or moves this virtual machine, as its metadata service tells.")
    private @Nullable URI azure;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description =
                    "Write what runs where to this file, once all serve and after each restart; deleted at the end.")
    private @Nullable Path json;

    // The data planes read these arguments.
    @Unmatched
    private final List<String> others = new ArrayList<>();

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        if (isGiven("--node-name")) {
            throw new IllegalArgumentException(
                    "--node-name: kv node up names each data plane by itself, after its host and port");
        }
        if (isGiven(NodeCommand.FLAG)) {
            throw new IllegalArgumentException(
                    NodeCommand.FLAG + ": kv node up starts a data plane on every node; for one alone, kv node "
                            + NodeCommand.FLAG + " N");
        }
        ReportFile file = ReportFile.of(json);
        Machine machine = Machine.current(System.getenv());
        Topology topology = TopologyReader.read(machine);
        int count = topology.nodes().size();
        Listeners listeners = new Listeners(
                Stream.of(host.split(",", -1)).map(one -> host("--host", one)).toList(),
                httpHost == null ? null : host("--http-host", httpHost),
                port,
                httpPort,
                count);
        List<Advertised> advertised = advertised(count);
        listeners.requireFree();
        PrintWriter err = spec.commandLine().getErr();
        UserEnvironment.warn(line -> err.println("kv: " + line));
        InetSocketAddress health = healthPort == null ? null : listeners.health(healthPort);
        Consumer<String> say = line -> {
            err.println("kv: " + line);
            err.flush();
        };
        IntFunction<List<String>> flags =
                index -> Stream.concat(advertised.stream().flatMap(one -> one.of(index).stream()), others.stream())
                        .toList();
        NodeGroup group =
                new NodeGroup(machine, topology, listeners, flags, Program.DATA_PLANE.jar(Home.current()), file, say);
        return StopSignal.guard(err, () -> {
            try (MachineWatch _ = MachineWatch.start(listeners.https(), health, azure, say)) {
                return group.run();
            }
        });
    }

    private List<Advertised> advertised(int count) {
        List<Advertised> all = new ArrayList<>();
        if (advertise != null) {
            all.add(Advertised.of("--advertise", advertise, count));
        }
        if (advertiseRemote != null) {
            all.add(Advertised.of("--advertise-remote", advertiseRemote, count));
        }
        return all;
    }

    private boolean isGiven(String flag) {
        return others.stream().anyMatch(other -> other.split("=", 2)[0].equals(flag));
    }

    private static Listeners.Host host(String flag, String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException(flag + ": must not be empty");
        }
        try {
            return new Listeners.Host(name, InetAddress.getByName(name));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(flag + ": " + name + " is no address of this machine", e);
        }
    }
}
