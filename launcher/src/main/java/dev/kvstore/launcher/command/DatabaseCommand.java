package dev.kvstore.launcher.command;

import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.StopSignal;
import dev.kvstore.launcher.WritablePath;
import dev.kvstore.launcher.stack.LocalDatabase;
import dev.kvstore.settings.Version;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kv database}: runs a PostgreSQL until Ctrl-C. */
@Command(
        name = "database",
        description =
                "A PostgreSQL of this machine until Ctrl-C, for trials of kv control-plane: prints the URL for --jdbc-url,"
                        + " with user and password.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
final class DatabaseCommand implements Callable<Integer> {
    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Folder for data, password and log; the next start uses it again. Default:"
                    + " target/kv-database in the checkout, which lasts until mvn clean.")
    private @Nullable Path data;

    @Option(names = "--end-with-parent", hidden = true, description = "Stop when standard input ends.")
    private boolean endWithParent;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        Home home = Home.current();
        Path folder = Objects.requireNonNullElse(data, home.target().resolve("kv-database"));
        WritablePath.requireFolder("--data", folder);
        CountDownLatch end = new CountDownLatch(1);
        if (endWithParent) {
            Thread.ofPlatform().daemon().name("end-with-parent").start(() -> awaitParent(end));
        }
        return StopSignal.guard(spec.commandLine().getErr(), () -> {
            try (LocalDatabase database = LocalDatabase.start(home, folder, new SecureRandom())) {
                PrintWriter out = spec.commandLine().getOut();
                out.println(database.url() + "?user=" + LocalDatabase.USER + "&password=" + database.password());
                out.flush();
                end.await();
                return 0;
            }
        });
    }

    private static void awaitParent(CountDownLatch end) {
        try {
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            end.countDown();
        }
    }
}
