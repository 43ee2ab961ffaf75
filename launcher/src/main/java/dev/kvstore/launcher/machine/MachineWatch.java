package dev.kvstore.launcher.machine;

import java.net.InetSocketAddress;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** All that watches over a machine while its data planes run. Closed by the thread that started it. */
public final class MachineWatch implements AutoCloseable {
    private final @Nullable MachineServer server;
    private final List<Thread> threads;

    private MachineWatch(@Nullable MachineServer server, List<Thread> threads) {
        this.server = server;
        this.threads = threads;
    }

    /** The loop of a watch, which runs until it is interrupted. */
    @FunctionalInterface
    private interface WatchLoop {
        void run() throws InterruptedException;
    }

    /**
     * Starts it.
     *
     * @param https where the data planes of this machine answer
     * @param health where the machine's health is served; null for nowhere
     * @param azure the metadata service that is asked for scheduled events; null for none
     * @param say takes a line about each event; from several threads
     */
    public static MachineWatch start(
            List<InetSocketAddress> https,
            @Nullable InetSocketAddress health,
            @Nullable URI azure,
            Consumer<String> say) {
        List<Thread> threads = new ArrayList<>();
        if (health == null && azure == null) {
            return new MachineWatch(null, threads);
        }
        MachineDataPlanes machine = new MachineDataPlanes(https, System::nanoTime);
        MachineServer server = health == null ? null : MachineServer.start(health, machine);
        threads.add(thread("machine", machine::watch));
        if (azure != null) {
            threads.add(thread(
                    "scheduled-events",
                    new ScheduledEvents(new AzureMetadata(azure), machine, InstantSource.system(), say)::watch));
        }
        return new MachineWatch(server, threads);
    }

    private static Thread thread(String name, WatchLoop watching) {
        return Thread.ofVirtual().name(name).start(() -> {
            try {
                watching.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
        if (server != null) {
            server.close();
        }
    }
}
