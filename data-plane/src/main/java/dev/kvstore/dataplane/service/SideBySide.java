package dev.kvstore.dataplane.service;

import dev.kvstore.dataplane.call.CallAdmission;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The steps of one call, several at a time. The call's own thread takes part; each further thread holds a slot of its
 * own, so that a call of n steps takes as much of all slots as n calls. If no slot is free, the call goes on with those
 * that it has. Stateless.
 */
final class SideBySide {
    /** One step. */
    @FunctionalInterface
    interface CallStep {
        void run(int index) throws Exception;
    }

    private SideBySide() {}

    /**
     * Runs all steps, and returns when the last one is over. The first failure is thrown, and keeps steps from
     * beginning.
     *
     * @param threads most threads
     * @param executor a thread per task
     */
    static void run(int steps, int threads, CallAdmission.CallSlot callSlot, Executor executor, CallStep step)
            throws Exception {
        AtomicInteger next = new AtomicInteger();
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Runnable work = () -> run(steps, next, failure, step);
        List<CompletableFuture<Void>> helpers = new ArrayList<>();
        try {
            while (helpers.size() + 1 < Math.min(steps, threads)) {
                CallAdmission.CallSlot.ExtraSlot slot = callSlot.widen();
                if (slot == null) {
                    break;
                }
                helpers.add(helper(work, slot, executor));
            }
            work.run();
        } finally {
            // Steps look at the request, which is given back afterwards: so this waits, even if it is interrupted.
            CompletableFuture.allOf(helpers.toArray(CompletableFuture[]::new)).join();
        }
        switch (failure.get()) {
            case null -> {}
            case Exception e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new IllegalStateException(e);
        }
    }

    private static CompletableFuture<Void> helper(
            Runnable work, CallAdmission.CallSlot.ExtraSlot slot, Executor executor) {
        boolean started = false;
        try {
            CompletableFuture<Void> helper = CompletableFuture.runAsync(
                    () -> {
                        try (slot) {
                            work.run();
                        }
                    },
                    executor);
            started = true;
            return helper;
        } finally {
            if (!started) {
                slot.close();
            }
        }
    }

    @SuppressWarnings("CatchingUnchecked") // whatever fails, the call is told
    private static void run(
            int steps, AtomicInteger next, AtomicReference<@Nullable Throwable> failure, CallStep step) {
        for (int i = next.getAndIncrement(); i < steps && failure.get() == null; i = next.getAndIncrement()) {
            try {
                step.run(i);
            } catch (Exception | Error e) {
                failure.compareAndSet(null, e);
            }
        }
    }
}
