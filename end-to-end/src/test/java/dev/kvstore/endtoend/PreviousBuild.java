package dev.kvstore.endtoend;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The programs of the version before: of the built checkout that {@code KV_PREVIOUS} names, else of the commit before
 * this one, which is built below {@code target} once.
 */
final class PreviousBuild {
    private static final String GIVEN = "KV_PREVIOUS";

    private PreviousBuild() {}

    /** Builds it where that was not done before; a test is skipped where it cannot be. */
    static Home home() throws IOException, InterruptedException {
        String given = System.getenv(GIVEN);
        Home home =
                given == null ? ofTheCommitBefore() : new Home(Path.of(given).toRealPath());
        for (Program program : Program.values()) {
            var _ = program.jar(home);
        }
        return home;
    }

    private static Home ofTheCommitBefore() throws IOException, InterruptedException {
        Home current = Home.current();
        assumeTrue(
                GoTool.isOnPath("git") && Files.exists(current.path().resolve(".git")),
                "missing: the history of this checkout in git; " + GIVEN
                        + " can name a built checkout of the version before");
        boolean changed = !git(current, "status", "--porcelain").isBlank();
        String commit = git(current, "rev-parse", changed ? "HEAD" : "HEAD^").strip();
        assumeTrue(commit.matches("[0-9a-f]{40}"), "missing: the commit before this one: " + commit);
        Path folder = current.target().resolve("previous").resolve(commit);
        if (!isBuilt(folder)) {
            Path clone = folder.resolve(".git");
            if (!Files.exists(clone)) {
                var _ = git(current, "clone", "-q", "--shared", "--no-checkout", ".", folder.toString());
            }
            var _ = GoTool.run(folder, Map.of(), List.of("git", "checkout", "-q", commit));
            // Builds what is missing, as for a user. This one has no build to wait for.
            String said = GoTool.run(
                    folder,
                    Map.of("KV_SKIP_BUILD", "", "JAVA_HOME", System.getProperty("java.home")),
                    List.of(folder.resolve("kv").toString(), "train"));
            assumeTrue(isBuilt(folder), "the commit before this one, " + commit + ", could not be built: " + said);
        }
        return new Home(folder);
    }

    private static boolean isBuilt(Path folder) {
        return Stream.of("data-plane", "control-plane")
                .allMatch(module -> Files.exists(folder.resolve(module + "/target/" + module + "-runner.jar")));
    }

    private static String git(Home home, String... arguments) throws IOException, InterruptedException {
        List<String> command = Stream.concat(Stream.of("git", "-C", home.path().toString()), Stream.of(arguments))
                .toList();
        return GoTool.run(home.target(), Map.of(), command);
    }
}
