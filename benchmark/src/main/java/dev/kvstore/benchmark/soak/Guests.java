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
    private record Course(Habit habit, int restMillis) {}

    private static final int OF_EACH = 2;

    // Their longest deadline, and time for a machine that is busy.
    private static final long END_SECONDS = 120;

    private final Map<String, Course> courses = new LinkedHashMap<>();
    private final Findings findings;
    private final CountDownLatch ending = new CountDownLatch(1);
    private final Map<Future<?>, String> ends = new LinkedHashMap<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    Guests(Library library, WriteHabits writes, Findings findings) {
        this.findings = findings;
        ReadHabits reads = new ReadHabits(library, findings);
        HastyHabits hasty = new HastyHabits(library, reads, findings);
        // Some 70 blocks a second are written, and ten times as many read.
        courses.put("writes blocks", new Course(writes::blocks, 400));
        courses.put("writes streams", new Course(writes::stream, 1_000));
        courses.put("gives writes up", new Course(writes::givenUp, 1_000));
        courses.put("reads", new Course(reads::whole, 50));
        courses.put("pauses reading", new Course(reads::paused, 100));
        courses.put("leaves streams", new Course(reads::left, 50));
        courses.put("cancels calls", new Course(hasty::cancelled, 20));
        courses.put("hurries", new Course(hasty::hurried, 20));
        courses.put("looks up", new Course(new LookupHabit(library, findings), 20));
    }

    void begin(List<Place> places, SplittableRandom random) {
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

    private void live(String name, Course course, List<Place> places, SplittableRandom random)
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

    /** Waits until all have come to the end of what they do. */
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
