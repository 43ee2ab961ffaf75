package dev.kvstore.testing.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Runs units, several at a time, until none is left. */
final class Slots {
    private final TestRun run;
    private final Queue queue;
    private final Results results;
    private final Timings timings;
    private final RunProgress progress;

    Slots(TestRun run, Queue queue, Results results, Timings timings, RunProgress progress) {
        this.run = run;
        this.queue = queue;
        this.results = results;
        this.timings = timings;
        this.progress = progress;
    }

    /**
     * Runs all units.
     *
     * @throws IOException if a JVM cannot be started
     */
    void runAll() throws IOException, InterruptedException {
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> slots = new ArrayList<>();
            for (int slot = 1; slot <= run.slots(); slot++) {
                int number = slot;
                slots.add(executor.submit(() -> {
                    runSlot(number);
                    return null;
                }));
            }
            for (Future<?> slot : slots) {
                slot.get();
            }
        } catch (ExecutionException e) {
            throw new IOException("the tests could not be run: " + e.getCause(), e);
        }
    }

    private void runSlot(int slot) throws IOException, InterruptedException {
        @Nullable WorkerProcess worker = null;
        try {
            Optional<TestUnit> next = queue.next(null);
            while (next.isPresent()) {
                TestUnit unit = next.get();
                if (worker == null || !worker.module().equals(unit.module())) {
                    if (worker != null) {
                        worker.close();
                    }
                    worker = WorkerProcess.start(
                            unit.module(),
                            run,
                            run.reports().resolve(unit.module().name() + "-" + slot + ".log"));
                }
                if (!runUnit(worker, unit)) {
                    worker.close();
                    worker = null;
                }
                next = queue.next(unit.module());
            }
        } finally {
            if (worker != null) {
                worker.close();
            }
        }
    }

    /** Runs a unit. Returns whether the worker can be used again. */
    private boolean runUnit(WorkerProcess worker, TestUnit unit) throws InterruptedException {
        UnitProgress heard = new UnitProgress(unit);
        Optional<String> broken = worker.run(unit, run.silence(), heard::add);
        broken.ifPresent(why -> heard.add(new Event.Failed(heard.current(), "the whole class", why, why)));
        heard.close();
        return broken.isEmpty();
    }

    /** Follows a unit from class to class. One thread uses it. */
    private final class UnitProgress {
        private final TestUnit unit;
        private final Set<String> begun = new LinkedHashSet<>();
        private String current;
        private Stopwatch since = Stopwatch.start();

        UnitProgress(TestUnit unit) {
            this.unit = unit;
            this.current = unit.classes().getFirst();
            if (unit.classes().size() == 1) {
                begin(current);
            }
        }

        String current() {
            return current;
        }

        void add(Event event) {
            // A contract that a class inherits is not a class of its own.
            if (event instanceof Event.ClassStarted started
                    && unit.classes().contains(started.className())
                    && !begun.contains(started.className())) {
                if (!begun.isEmpty()) {
                    end();
                }
                begin(started.className());
            }
            results.add(event);
            if (event instanceof Event.Failed failure) {
                progress.failed(failure);
                keep(failure);
            }
        }

        /** Keeps a failure as a whole; the terminal shows its first lines. */
        private void keep(Event.Failed failure) {
            try {
                Files.writeString(
                        run.reports().resolve(Summary.failuresOf(failure.className())),
                        failure.test() + "\n" + failure.trace() + "\n\n",
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Ends the last class, and counts classes without tests to run. */
        void close() {
            if (!begun.isEmpty()) {
                end();
            }
            unit.classes().stream()
                    .filter(name -> !begun.contains(name))
                    .forEach(name -> progress.ended(unit.module(), name, Duration.ZERO));
        }

        private void begin(String className) {
            begun.add(className);
            current = className;
            since = Stopwatch.start();
            progress.started(unit.module(), className);
        }

        private void end() {
            Duration time = since.elapsed();
            results.took(current, time);
            timings.took(current, time);
            progress.ended(unit.module(), current, time);
        }
    }
}
