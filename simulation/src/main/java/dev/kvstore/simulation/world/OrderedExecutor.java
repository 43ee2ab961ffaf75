package dev.kvstore.simulation.world;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.WeakHashMap;

/** Runs the tasks of a host one after the other. */
final class OrderedExecutor extends HostExecutor {
    private final Map<SimulatedHost, Queue<Runnable>> waiting = new WeakHashMap<>();

    @Override
    public void execute(Runnable task) {
        SimulatedHost host = World.current().host();
        Queue<Runnable> tasks = waiting.computeIfAbsent(host, _ -> new ArrayDeque<>());
        tasks.add(task);
        if (tasks.size() == 1) {
            host.execute(() -> {
                while (!tasks.isEmpty()) {
                    try {
                        tasks.element().run();
                    } finally {
                        tasks.remove();
                    }
                }
            });
        }
    }
}
