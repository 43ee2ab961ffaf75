package dev.kvstore.launcher.numa;

import dev.kvstore.launcher.machine.DrainCommand;
import dev.kvstore.launcher.machine.SecretsCommand;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/**
 * {@code kv node}, for the script: prints how a data plane with {@code --numa-node} is started. The output has three
 * lines with words between blanks: the words before java (none if unbound), the flags of java, and the flags of the
 * data plane.
 */
@Command(
        name = "node",
        description = "A data plane on a NUMA node: how kv starts it.",
        subcommands = {NodeUpCommand.class, DrainCommand.class, SecretsCommand.class})
public final class NodeCommand implements Callable<Integer> {
    static final String FLAG = "--numa-node";

    @Option(names = FLAG, paramLabel = "N")
    private String node = "";

    // The data plane reads these arguments.
    @Unmatched
    @SuppressWarnings("UnusedVariable")
    private final List<String> others = new ArrayList<>();

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() {
        Machine machine = Machine.current(System.getenv());
        Topology topology = TopologyReader.read(machine);
        Binding binding = Binding.of(machine, topology, chosen(topology));
        String warning = binding.warning();
        if (warning != null) {
            spec.commandLine().getErr().println("kv node: " + warning);
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println(String.join(" ", binding.pinning().prefix(binding.node())));
        out.println(String.join(" ", binding.jvm()));
        out.println(String.join(" ", binding.flags()));
        out.flush();
        return 0;
    }

    private NumaNode chosen(Topology topology) {
        if (!node.matches("[0-9]{1,5}")) {
            throw new IllegalArgumentException(FLAG + ": must be a number, not " + node);
        }
        try {
            return topology.alone(Integer.parseInt(node));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(FLAG + ": " + e.getMessage(), e);
        }
    }
}
