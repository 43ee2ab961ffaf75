package dev.kvstore.launcher.numa;

import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.ReportFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/** The data planes of {@code kv node up}: one on each node, kept running until this thread is interrupted. */
final class NodeGroup {
    private final Topology topology;
    private final List<Binding> bindings;
    private final Listeners listeners;
    private final IntFunction<List<String>> flags;
    private final Path jar;
    private final ReportFile file;
    private final Consumer<String> say;

    private final ReentrantLock lock = new ReentrantLock();
    // The lock guards this map: the data planes that serve, or have served, by index.
    private final SortedMap<Integer, NodesReport.Node> served = new TreeMap<>();

    /**
     * @param flags the flags for each data plane, by its index, besides those of its binding
     * @param say takes a line about each event; from several threads
     */
    NodeGroup(
            Machine machine,
            Topology topology,
            Listeners listeners,
            IntFunction<List<String>> flags,
            Path jar,
            ReportFile file,
            Consumer<String> say) {
        this.topology = topology;
        this.bindings = topology.shared().stream()
                .map(node -> Binding.of(machine, topology, node))
                .toList();
        this.listeners = listeners;
        this.flags = flags;
        this.jar = jar;
        this.file = file;
        this.say = say;
    }

    /**
     * Runs all data planes. Returns only when one refuses its flags, settings or accounts: returns its exit code, once
     * all have ended.
     */
    int run() throws InterruptedException {
        topology.unused().forEach((id, why) -> say.accept("node " + id + " is left out: " + why));
        bindings.stream()
                .map(Binding::warning)
                .filter(Objects::nonNull)
                .collect(Collectors.toCollection(LinkedHashSet::new))
                .forEach(say);
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            var ends = new ExecutorCompletionService<Integer>(executor);
            for (int index = 0; index < bindings.size(); index++) {
                ends.submit(keeper(index));
            }
            try {
                int code = ends.take().get();
                say.accept("a data plane refused its flags or settings, as it says above; stopping all");
                return code;
            } catch (ExecutionException e) {
                throw new LaunchException("a data plane is no longer watched: " + e.getCause(), e);
            } finally {
                executor.shutdownNow();
            }
        } finally {
            file.deleteOwn();
        }
    }

    private NodeKeeper keeper(int index) {
        Binding binding = bindings.get(index);
        List<String> more = new ArrayList<>(listeners.flags(index));
        more.add("--end-with-parent");
        more.addAll(flags.apply(index));
        List<String> command = binding.command(jar, more);
        return new NodeKeeper(
                () -> NodeProcess.start(command, listeners.reachable(index)),
                new BackOff(System::nanoTime),
                Thread::sleep,
                new NodeKeeper.NodeListener() {
                    @Override
                    public void serves(long pid) {
                        served(index, pid);
                    }

                    @Override
                    public void died(String how, Duration pause) {
                        say.accept("node %d %s; starting it again in %d s"
                                .formatted(binding.node().id(), how, pause.toSeconds()));
                    }
                });
    }

    private void served(int index, long pid) {
        Binding binding = bindings.get(index);
        NumaNode node = binding.node();
        lock.lock();
        try {
            NodesReport.Node before = served.get(index);
            served.put(
                    index,
                    new NodesReport.Node(
                            node.id(),
                            listeners.endpoint(index),
                            listeners.http(index),
                            node.cpus().toString(),
                            node.memoryBytes(),
                            binding.pinning().toString(),
                            pid,
                            before == null ? 0 : before.restarts() + 1));
            say.accept("node %d serves on %s: CPUs %s, %d MiB, bound by %s, pid %d"
                    .formatted(
                            node.id(),
                            listeners.endpoint(index),
                            node.cpus().isEmpty() ? "any" : node.cpus(),
                            node.memoryBytes() >> 20,
                            binding.pinning(),
                            pid));
            if (served.size() == bindings.size()) {
                file.write(new NodesReport(List.copyOf(served.values())).json());
            }
        } catch (LaunchException e) {
            // The data planes that serve go on.
            say.accept(Objects.requireNonNullElse(e.getMessage(), e.toString()));
        } finally {
            lock.unlock();
        }
    }
}
