package dev.kvstore.benchmark.soak;

import dev.kvstore.client.KvStoreException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Threads that follow their habits until they are ended. For one thread. */
final class Guests {
    /** A habit, and the mean rest between two steps in milliseconds. */
    private record GuestHabit(Habit habit, int restMillis) {}

    private static final int OF_EACH = 2;

    // Their longest deadline, and time for a machine that is busy.
    private static final long END_SECONDS = 120;

    private final Map<String, GuestHabit> courses = new LinkedHashMap<>();
    private final SoakCounts findings;
    private final CountDownLatch ending = new CountDownLatch(1);
    private final Map<Future<?>, String> ends = new LinkedHashMap<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    Guests(Library library, WriteHabits writes, SoakCounts findings) {
        this.findings = findings;
        ReadHabits reads = new ReadHabits(library, findings);
        HastyHabits hasty = new HastyHabits(library, reads, findings);
        // Some 70 blocks a second are written, and ten times as many read.
        courses.put("writes blocks", new GuestHabit(writes::blocks, 400));
        courses.put("writes streams", new GuestHabit(writes::stream, 1_000));
        courses.put("gives writes up", new GuestHabit(writes::givenUp, 1_000));
        courses.put("reads", new GuestHabit(reads::whole, 50));
        courses.put("pauses reading", new GuestHabit(reads::paused, 100));
        courses.put("leaves streams", new GuestHabit(reads::left, 50));
        courses.put("cancels calls", new GuestHabit(hasty::cancelled, 20));
        courses.put("hurries", new GuestHabit(hasty::hurried, 20));
        courses.put("looks up", new GuestHabit(new LookupHabit(library, findings), 20));
    }

    void begin(List<SoakTarget> places, SplittableRandom random) {
        courses.forEach((name, course) -> {
            for (int i = 0; i < OF_EACH; i++) {
                SplittableRandom own = random.split();
                ends.put(
                        threads.submit(() -> {
                            live(name, course, places, own);
                            return null;
                        }),
                        name);
            }
        });
    }

    private void live(String name, GuestHabit course, List<SoakTarget> places, SplittableRandom random)
            throws InterruptedException {
        do {
            findings.step(name);
            try {
                course.habit().step(places.get(random.nextInt(places.size())), random);
            } catch (KvStoreException e) {
                findings.failed(name, e);
            }
        } while (!ending.await(random.nextInt(2 * course.restMillis()), TimeUnit.MILLISECONDS));
    }

    /** Waits until all have finished their work. */
    void end() throws InterruptedException {
        ending.countDown();
        long last = System.nanoTime() + TimeUnit.SECONDS.toNanos(END_SECONDS);
        for (Map.Entry<Future<?>, String> end : ends.entrySet()) {
            try {
                end.getKey().get(Math.max(0, last - System.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                findings.hung(end.getValue());
            } catch (ExecutionException e) {
                throw new IllegalStateException("a client that " + end.getValue() + ": " + e.getMessage(), e);
            }
        }
        threads.shutdownNow();
    }
}
