package dev.kvstore.benchmark.measure;

import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A stack that lives as long as one measurement, in a folder that is deleted afterwards. Stateless. */
public final class BenchStack {
    private BenchStack() {}

    /** Work with a stack. */
    @FunctionalInterface
    public interface StackWork<T> {
        /** @param folder of the stack */
        T run(LocalStack stack, Path folder) throws IOException, InterruptedException;
    }

    /** Works with a stack below {@code target/}. */
    public static <T> T during(UnaryOperator<StackOptions> options, Consumer<String> progress, StackWork<T> work)
            throws IOException, InterruptedException {
        return during(Home.current().target(), options, progress, work);
    }

    /**
     * Starts a stack, works with it and stops it. If the work fails, or ends with a report that does not hold, the logs
     * of the processes are kept.
     *
     * @param parent of the stack's folder; it is made
     * @param options take those of a stack of two data planes on free ports
     * @param progress is told where the logs are
     */
    public static <T> T during(
            Path parent, UnaryOperator<StackOptions> options, Consumer<String> progress, StackWork<T> work)
            throws IOException, InterruptedException {
        Home home = Home.current();
        Files.createDirectories(home.target());
        Files.createDirectories(parent);
        try (BenchFolder folder = BenchFolder.in(parent, "kv-bench-")) {
            boolean done = false;
            StackOptions all = options.apply(StackOptions.onFreePorts(home, folder.path()));
            try (LocalStack stack = LocalStack.start(all, new SecureRandom())) {
                T result = work.run(stack, folder.path());
                done = !(result instanceof BenchReport report) || report.holds();
                return result;
            } finally {
                if (!done) {
                    Path logs = home.target().resolve("kv-bench-logs");
                    folder.rescue("logs", logs);
                    progress.accept("the logs of the processes are kept in " + logs);
                }
            }
        }
    }
}
