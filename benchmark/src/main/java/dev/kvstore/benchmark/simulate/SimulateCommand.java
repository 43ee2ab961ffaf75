package dev.kvstore.benchmark.simulate;

import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.JvmOptions;
import dev.kvstore.settings.Version;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kv bench simulate}: starts the program of the module {@code simulation}. */
@Command(
        name = "simulate",
        header = "Histories of simulated data planes, each of a seed, held against what is promised.",
        description =
                "Runs the product's own data planes in virtual time, on one thread: clients write, look up and read,"
                        + " storage fails and loses answers, processes are killed, frozen and started again. A seed gives the"
                        + " same history each time. A history that breaks a promise is shrunk to the steps that are needed,"
                        + " and told. Exit code 1 if there was one, or if a planted bug was not found.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
public final class SimulateCommand implements Callable<Integer> {
    /**
     * Beside the flags of every process: the scheduler of virtual threads is set by a constructor of the JDK's own;
     * threads of killed processes are garbage; nothing depends on an object's address. A history leaves little behind,
     * so that collections of a large young generation cost next to nothing; thousands of its exceptions are ordinary
     * events, whose stacks nobody reads.
     */
    private static final List<String> FLAGS = List.of(
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "-Djdk.trackAllThreads=false",
            "-XX:+UnlockExperimentalVMOptions",
            "-XX:hashCode=2",
            "-XX:+UseSerialGC",
            "-Xmx1g",
            "-Xmn640m",
            "-XX:MaxJavaStackTraceDepth=8");

    @Option(
            names = "--seeds",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Histories, 1 or more; with --bugs, most for each bug. Default: ${DEFAULT-VALUE}.")
    private long seeds;

    @Option(
            names = "--first",
            paramLabel = "SEED",
            defaultValue = "1",
            description = "The first seed; the others follow it. Default: ${DEFAULT-VALUE}.")
    private long first;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "86400",
            description = "Begin no history after so many seconds; with --bugs, for each bug. Default:"
                    + " ${DEFAULT-VALUE}, a day.")
    private long seconds;

    @Option(names = "--story", paramLabel = "SEED", description = "Tell the whole history of this seed instead.")
    private @Nullable Long story;

    @Option(
            names = "--bugs",
            description = "Look for each bug of simulation/bugs instead: patches that are compiled into a copy of the"
                    + " product. Needs git.")
    private boolean bugs;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (seeds < 1) {
            throw new IllegalArgumentException("--seeds: must be 1 or more, not " + seeds);
        }
        Home home = Home.current();
        Path built = home.path().resolve("simulation/target");
        List<String> command = new ArrayList<>(JvmOptions.java(FLAGS));
        command.add("-Dkvstore.home=" + home.path());
        command.add("-cp");
        command.add(built.resolve("simulation.jar") + File.pathSeparator + built.resolve("lib") + File.separator + "*");
        command.add("dev.kvstore.simulation.Simulate");
        command.addAll(words(home));
        Process simulation = new ProcessBuilder(command).inheritIO().start();
        try {
            return simulation.waitFor();
        } finally {
            simulation.destroy();
        }
    }

    private List<String> words(Home home) {
        if (story != null) {
            return List.of("story", story.toString());
        }
        String count = Long.toString(seeds);
        return bugs
                ? List.of("bugs", home.path().toString(), count, Long.toString(seconds))
                : List.of("run", Long.toString(first), count, Long.toString(seconds));
    }
}
