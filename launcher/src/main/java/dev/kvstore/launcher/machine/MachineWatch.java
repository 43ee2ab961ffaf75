package dev.kvstore.launcher.machine;

import java.net.InetSocketAddress;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The watches over a machine while its data planes run. The thread that started them closes them. */
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
     * Starts the watches.
     *
     * @param https the HTTP addresses of this machine's data planes
     * @param health the address for the machine's health; null for none
     * @param azure the metadata service with the scheduled events; null for none
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
