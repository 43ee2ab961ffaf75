package dev.kvstore.settings;

import java.io.IOException;
import java.io.OutputStream;

/** Ends this process when its parent is gone, if a program that starts it wants that. Stateless. */
public final class ParentWatch {
    private ParentWatch() {}

    /**
     * Watches from now on. The parent holds a pipe to standard input, which ends with the parent in any case.
     *
     * @param program the name before messages, such as {@code kv node}
     */
    public static void start(String program) {
        Thread.ofPlatform().daemon().name("end-with-parent").start(() -> {
            try {
                System.in.transferTo(OutputStream.nullOutputStream());
            } catch (IOException e) {
                System.err.println(program + ": standard input cannot be read, and counts as ended: " + e.getMessage());
            }
            // This works like SIGTERM: Quarkus stops in its shutdown hook.
            System.exit(0);
        });
    }
}
