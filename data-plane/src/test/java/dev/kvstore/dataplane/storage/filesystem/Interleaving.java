package dev.kvstore.dataplane.storage.filesystem;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Several processes, of which one at a time goes a step; which, and when the power goes, follows from a seed. */
final class Interleaving {
    /** Thrown by whatever a actor does once the power is gone. */
    static final class PowerCut extends IOException {
        private static final long serialVersionUID = 1;
    }

    /** The work of an actor until it ends, or the power goes. */
    @FunctionalInterface
    interface ActorSteps {
        void run(Actor actor) throws Exception;
    }

    private final SplittableRandom random;
    private final int steps;
    private final List<Actor> processes = new ArrayList<>();
    private final Map<Path, Actor> locks = new HashMap<>();
    private final Semaphore paused = new Semaphore(0);
    private volatile boolean off;

    /** The power goes after so many steps, or when all processes have ended. */
    Interleaving(SplittableRandom random, int steps) {
        this.random = random;
        this.steps = steps;
    }

    /** Whether the power went before all was done. */
    boolean off() {
        return off;
    }

    /** Runs as many processes to their end, or to that of the power. */
    void run(int count, ActorSteps course) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> ends = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                Actor actor = new Actor(i);
                processes.add(actor);
                ends.add(threads.submit(() -> actor.run(course)));
            }
            // On a virtual thread like theirs: a turn is handed on in microseconds.
            ends.add(threads.submit(() -> goOnUntilOff(count)));
            for (Future<?> end : ends) {
                await(end);
            }
        }
    }

    private @Nullable Void goOnUntilOff(int count) throws InterruptedException {
        paused.acquire(count);
        for (int step = 0; step < steps && goOn(); step++) {
            paused.acquire();
        }
        off = processes.stream().anyMatch(actor -> !actor.ended);
        processes.forEach(actor -> actor.turn.release());
        return null;
    }

    private static void await(Future<?> end) throws Exception {
        try {
            end.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e;
        }
    }

    /** Lets one of those go on that can; false if none is left. */
    private boolean goOn() {
        List<Actor> ready =
                processes.stream().filter(actor -> actor.isReady(locks)).toList();
        if (ready.isEmpty()) {
            return false;
        }
        ready.get(random.nextInt(ready.size())).turn.release();
        return true;
    }

    /** One of them; for its own thread. */
    final class Actor {
        private final int number;
        private final Semaphore turn = new Semaphore(0);
        private volatile boolean ended;
        private volatile @Nullable Path awaited;

        private Actor(int number) {
            this.number = number;
        }

        int number() {
            return number;
        }

        private boolean isReady(Map<Path, Actor> held) {
            return !ended && (awaited == null || !held.containsKey(awaited));
        }

        private @Nullable Void run(ActorSteps course) throws Exception {
            try {
                step();
                course.run(this);
            } catch (PowerCut e) {
                return null;
            } finally {
                ended = true;
                paused.release();
            }
            return null;
        }

        /** Waits for its turn. */
        void step() throws PowerCut {
            if (!off) {
                paused.release();
                turn.acquireUninterruptibly();
            }
            if (off) {
                throw new PowerCut();
            }
        }

        /** Waits until the others have given a lock back, and has it. */
        Closeable lock(Path file) throws PowerCut {
            awaited = file;
            step();
            awaited = null;
            locks.put(file, this);
            return () -> locks.remove(file);
        }
    }
}
