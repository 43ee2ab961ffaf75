package dev.kvstore.benchmark.soak;

import dev.kvstore.benchmark.measure.CallLoad;
import dev.kvstore.client.KvStoreException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Threads that follow their habits until they are ended. For one thread. */
final class Guests {
    private static final int OF_EACH = 2;

    // Their longest deadline, and time for a machine that is busy.
    private static final long END_SECONDS = 120;

    private final Map<String, CallLoad> loads = new LinkedHashMap<>();
    private final List<Habit.SoakTarget> places;
    private final SplittableRandom random;
    private final SoakCounts findings;

    private Guests(List<Habit.SoakTarget> places, SplittableRandom random, SoakCounts findings) {
        this.places = places;
        this.random = random;
        this.findings = findings;
    }

    static Guests begin(
            List<Habit.SoakTarget> places,
            Library library,
            WriteHabits writes,
            SplittableRandom random,
            SoakCounts findings) {
        ReadHabits reads = new ReadHabits(library, findings);
        HastyHabits hasty = new HastyHabits(library, reads, findings);
        Guests guests = new Guests(places, random, findings);
        // Some 70 blocks a second are written, and ten times as many read.
        guests.follow("writes blocks", 400, writes::blocks);
        guests.follow("writes streams", 1_000, writes::stream);
        guests.follow("gives writes up", 1_000, writes::givenUp);
        guests.follow("reads", 50, reads::whole);
        guests.follow("pauses reading", 100, reads::paused);
        guests.follow("leaves streams", 50, reads::left);
        guests.follow("cancels calls", 20, hasty::cancelled);
        guests.follow("hurries", 20, hasty::hurried);
        guests.follow("looks up", 20, reads::lookUp);
        return guests;
    }

    /** @param restMillis the mean rest between two steps */
    private void follow(String name, int restMillis, Habit habit) {
        CallLoad load = new CallLoad();
        for (int i = 0; i < OF_EACH; i++) {
            SplittableRandom own = random.split();
            load.pausing(1, () -> Duration.ofMillis(own.nextInt(2 * restMillis)), _ -> {
                findings.step(name);
                try {
                    habit.step(places.get(own.nextInt(places.size())), own);
                } catch (KvStoreException e) {
                    findings.failed(name, e);
                }
            });
        }
        loads.put(name, load);
    }

    /** Waits until all have finished their work. */
    void end() throws InterruptedException {
        long last = System.nanoTime() + TimeUnit.SECONDS.toNanos(END_SECONDS);
        loads.values().forEach(CallLoad::stop);
        for (Map.Entry<String, CallLoad> load : loads.entrySet()) {
            if (!load.getValue().end(Duration.ofNanos(Math.max(0, last - System.nanoTime())))) {
                findings.hung(load.getKey());
            }
        }
    }
}
