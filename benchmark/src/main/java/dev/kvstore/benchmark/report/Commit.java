package dev.kvstore.benchmark.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Asks git which commit is checked out. */
final class Commit {
    private static final List<String> COMMAND =
            List.of("git", "describe", "--always", "--exclude=*", "--abbrev=12", "--dirty=, with changes");
    private static final long PATIENCE_SECONDS = 10;

    private Commit() {}

    /** Such as {@code 6bf20e6f5342, with changes}; null where there is no git, or the folder is no checkout of it. */
    static @Nullable String of(Path checkout) throws InterruptedException {
        // A copy without history may lie in somebody else's repository.
        if (!Files.exists(checkout.resolve(".git"))) {
            return null;
        }
        try {
            return ask(checkout);
        } catch (IOException | UncheckedIOException e) {
            return null;
        }
    }

    private static @Nullable String ask(Path checkout) throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(COMMAND).directory(checkout.toFile()).redirectError(ProcessBuilder.Redirect.DISCARD);
        // Removes variables that tell a hook of its own repository. Reading must leave no lock.
        builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
        builder.environment().put("GIT_OPTIONAL_LOCKS", "0");
        Process git = builder.start();
        try {
            git.getOutputStream().close();
            if (!git.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || git.exitValue() != 0) {
                return null;
            }
            String commit = new String(git.getInputStream().readAllBytes(), UTF_8).strip();
            return commit.isEmpty() ? null : commit;
        } finally {
            git.destroyForcibly();
        }
    }
}
