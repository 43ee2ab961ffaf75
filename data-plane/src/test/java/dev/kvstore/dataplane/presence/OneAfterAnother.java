package dev.kvstore.dataplane.presence;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;

/**
 * Runs tasks on the thread that starts them, so that a test decides what happens when. A task that another one starts
 * runs after that one, as no task waits for it. For one thread.
 */
final class OneAfterAnother implements Executor {
    private Deque<Runnable> waiting = new ArrayDeque<>();
    private boolean running;

    @Override
    public void execute(Runnable task) {
        waiting.add(task);
        if (running) {
            return;
        }
        running = true;
        try {
            for (Runnable next = waiting.poll(); next != null; next = waiting.poll()) {
                next.run();
            }
        } finally {
            running = false;
        }
    }

    /** Does something in the middle of a task, whose further tasks wait; as another thread would. */
    <T> T aside(Callable<T> work) throws Exception {
        Deque<Runnable> mine = waiting;
        boolean wasRunning = running;
        waiting = new ArrayDeque<>();
        running = false;
        try {
            return work.call();
        } finally {
            waiting = mine;
            running = wasRunning;
        }
    }
}
