package dev.kvstore.launcher.machine;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Drains the machine before Azure ends or restarts it: reads its scheduled events once a second, drains as soon as
 * there is one, and starts the event once no calls are left. Otherwise Azure starts it at the time that it announced.
 * After an event is over or called off, the machine takes calls again, unless an operator drained it. One thread uses
 * it.
 *
 * @see <a href="https://learn.microsoft.com/azure/virtual-machines/linux/scheduled-events">Scheduled Events for Linux
 *     VMs</a>
 */
public final class ScheduledEvents {
    /** The period of requests that Azure recommends. */
    static final Duration POLL = Duration.ofSeconds(1);

    /**
     * The time before a failure is reported: Azure's first answer may take two minutes, and the service may be away for
     * a while.
     */
    static final Duration QUIET = Duration.ofMinutes(10);

    /** A way to wait. */
    @FunctionalInterface
    interface Sleeper {
        void sleep(Duration pause) throws InterruptedException;
    }

    private final AzureMetadata metadata;
    private final MachineDataPlanes machine;
    private final InstantSource clock;
    private final Sleeper sleeper;
    private final Consumer<String> say;
    private final Set<String> started = new HashSet<>();
    private boolean draining;
    private long quietUntil = Long.MIN_VALUE;

    /**
     * @param say takes a line about each event
     */
    public ScheduledEvents(
            AzureMetadata metadata, MachineDataPlanes machine, InstantSource clock, Consumer<String> say) {
        this(metadata, machine, clock, Thread::sleep, say);
    }

    ScheduledEvents(
            AzureMetadata metadata,
            MachineDataPlanes machine,
            InstantSource clock,
            Sleeper sleeper,
            Consumer<String> say) {
        this.metadata = metadata;
        this.machine = machine;
        this.clock = clock;
        this.sleeper = sleeper;
        this.say = say;
    }

    /** Reads the events until this thread is interrupted. */
    public void watch() throws InterruptedException {
        while (true) {
            look();
            sleeper.sleep(POLL);
        }
    }

    /** Reads the events once, and acts on them. */
    void look() throws InterruptedException {
        List<AzureMetadata.MaintenanceEvent> events;
        try {
            events = metadata.events();
        } catch (IOException e) {
            complain(e);
            return;
        }
        if (events.isEmpty()) {
            takeBack();
            return;
        }
        if (!draining) {
            AzureMetadata.MaintenanceEvent first = events.getFirst();
            say.accept("Azure will %s this machine %s: it is drained"
                    .formatted(
                            first.type().word(),
                            first.notBefore().map(at -> "at " + at).orElse("now")));
        }
        draining = true;
        DrainState state = machine.drain(DrainWish.AZURE, true);
        if (state.isOver()) {
            goOn(events);
        }
    }

    private void goOn(List<AzureMetadata.MaintenanceEvent> events) throws InterruptedException {
        for (AzureMetadata.MaintenanceEvent event : events) {
            if (event.scheduled() && !started.contains(event.id())) {
                try {
                    metadata.start(event.id());
                    started.add(event.id());
                    say.accept("no calls are left: Azure may go on");
                } catch (IOException e) {
                    complain(e);
                }
            }
        }
    }

    private void takeBack() throws InterruptedException {
        started.clear();
        if (draining) {
            draining = false;
            DrainState state = machine.drain(DrainWish.AZURE, false);
            say.accept("Azure's event is over or called off: the machine "
                    + (state.draining() ? "stays drained, as kv node drain wants" : "takes calls again"));
        }
    }

    private void complain(IOException e) {
        long now = clock.millis();
        if (now >= quietUntil) {
            quietUntil = now + QUIET.toMillis();
            say.accept("--azure-scheduled-events: Azure does not tell of scheduled events; asked again every second: "
                    + e.getMessage());
        }
    }
}
