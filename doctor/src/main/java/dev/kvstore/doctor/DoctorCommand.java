package dev.kvstore.doctor;

import dev.kvstore.doctor.environment.EngineVariables;
import dev.kvstore.doctor.environment.Variables;
import dev.kvstore.doctor.finding.Examination;
import dev.kvstore.doctor.process.LocalProcess;
import dev.kvstore.doctor.service.ServiceAddress;
import dev.kvstore.doctor.service.Trust;
import dev.kvstore.launcher.Period;
import dev.kvstore.launcher.admin.ConnectionFlags;
import dev.kvstore.launcher.numa.Machine;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.Plain;
import dev.kvstore.settings.Version;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kv doctor}: looks at what it is told to, and prints what is wrong, a line for each finding. */
@Command(
        name = "kv doctor",
        description = "Names what is wrong with an engine's variables, data planes, control planes or a fleet, and the"
                + " way out: a line for each finding. Changes nothing. Exit code 0 if nothing is wrong, 1 if something is, 2"
                + " for a mistake in the command. Without a target it looks at the KV_ variables around it.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        footer = {
            "",
            "  kv doctor --fleet",
            "  kv doctor --data-plane 127.0.0.1:8085,127.0.0.1:8086",
            "docs/operations/doctor.md explains each finding"
        })
final class DoctorCommand implements Callable<Integer> {
    @Option(
            names = "--data-plane",
            paramLabel = "HOST:PORT",
            split = ",",
            description = "Look at these data planes: port, certificate, health.")
    private List<String> dataPlanes = List.of();

    @Option(
            names = "--control-plane",
            paramLabel = "HOST:PORT",
            split = ",",
            description = "Look at these control planes' gRPC ports.")
    private List<String> controlPlanes = List.of();

    @Option(
            names = "--fleet",
            description = "Look at all that the control plane of --url knows: data planes, storage, partitions.")
    private boolean fleet;

    @Option(
            names = "--environment",
            paramLabel = "FILE",
            description =
                    "Look at these variables of an engine or a container, NAME=VALUE in lines; - for standard input."
                            + " Repeatable.")
    private List<String> environments = List.of();

    @Option(
            names = "--process",
            paramLabel = "PID",
            description = "Look at this data plane of this machine: settings, limits, memory, NUMA. Repeatable.")
    private List<Long> processes = List.of();

    @Option(
            names = "--deadline",
            paramLabel = "TIME",
            defaultValue = "20s",
            converter = Period.class,
            description = "The longest time of each check. Default: ${DEFAULT-VALUE}.")
    private long deadlineSeconds;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Mixin
    private final ConnectionFlags connection = new ConnectionFlags();

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    private final Map<String, String> own;

    /** @param own the variables of this process, or others in their place */
    DoctorCommand(Map<String, String> own) {
        this.own = Map.copyOf(own);
    }

    @Override
    public Integer call() throws InterruptedException {
        Path root = Machine.current(own).root();
        List<Variables> variables = environments.stream().map(Variables::read).toList();
        if (Stream.of(dataPlanes, controlPlanes, environments, processes).allMatch(List::isEmpty) && !fleet) {
            variables = List.of(new Variables("the environment", own));
            if (!new EngineVariables(variables.getFirst()).areThere()) {
                throw new IllegalArgumentException("there is nothing to look at: give --fleet, --data-plane,"
                        + " --control-plane, --environment or --process, or set an engine's KV_ variables");
            }
        }
        Duration deadline = Duration.ofSeconds(deadlineSeconds);
        Targets targets = new Targets(
                addresses("--data-plane", dataPlanes),
                addresses("--control-plane", controlPlanes),
                variables,
                processes.stream().map(id -> new LocalProcess(root, id)).toList(),
                new Trust(connection.authorities(), connection.plaintext()));
        Examination examination = new Examination(deadline);
        if (fleet) {
            try (AdminClient client = connection.open()) {
                targets.examine(examination, deadline, client);
            }
        } else {
            targets.examine(examination, deadline, null);
        }
        DoctorReport report = DoctorReport.of(examination);
        spec.commandLine().getOut().print(json ? Plain.json(report.json()) : report.text(examination.findings()));
        spec.commandLine().getOut().flush();
        return report.healthy() ? 0 : 1;
    }

    private static List<ServiceAddress> addresses(String flag, List<String> texts) {
        List<ServiceAddress> addresses = new ArrayList<>();
        for (String text : texts) {
            addresses.add(ServiceAddress.parse(text.strip())
                    .orElseThrow(() -> new IllegalArgumentException(
                            flag + ": \"" + text + "\" is not host:port; write it like 127.0.0.1:8085 or [::1]:8085")));
        }
        return addresses;
    }
}
