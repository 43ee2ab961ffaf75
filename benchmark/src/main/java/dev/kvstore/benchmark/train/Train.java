package dev.kvstore.benchmark.train;

import dev.kvstore.benchmark.measure.BenchStack;
import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.benchmark.measure.PromptCalls;
import dev.kvstore.benchmark.measure.ServiceAccess;
import dev.kvstore.benchmark.measure.StoredPrompts;
import dev.kvstore.client.KvClient;
import dev.kvstore.launcher.CommandLines;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.IoReason;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.Program;
import dev.kvstore.launcher.StopSignal;
import dev.kvstore.launcher.process.ManagedProcess;
import dev.kvstore.launcher.stack.ControlPorts;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackControlPlane;
import dev.kvstore.settings.Version;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code kv train}: runs what was built for a moment, so that it starts in a fraction of the time from then on. */
@Command(
        name = "kv train",
        description =
                "Runs a control plane and a data plane of this build for a few seconds, over a folder that is deleted, and"
                        + " keeps what java learned of them in an AOT cache beside each program: classes loaded and"
                        + " linked, methods profiled. Starts use it as long as program and JDK stay the same. \"kv\" does"
                        + " this after each build; a packaged image does it once, with the JDK it ships.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
public final class Train implements Callable<Integer> {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int PROMPTS = 2;
    private static final int BLOCKS = 64;
    private static final List<Integer> BLOCK_BYTES = List.of(1_200_000, 4_096);
    private static final int TIMES = 25;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    public static void main(String[] arguments) {
        System.exit(CommandLines.execute(CommandLines.of(new Train()), arguments));
    }

    @Override
    public Integer call() throws Exception {
        PrintWriter err = spec.commandLine().getErr();
        return StopSignal.guard(err, () -> {
            train(Home.current(), err);
            return 0;
        });
    }

    private static void train(Home home, PrintWriter err) throws IOException, InterruptedException {
        for (Program program : Program.values()) {
            Files.deleteIfExists(Program.cache(program.jar(home)));
        }
        List<Path> caches = BenchStack.during(
                options -> options.withDataPlanes(1)
                        .withControlPlane(ControlPorts.FREE)
                        .withJvm(recordingFlags(options.folder()))
                        // Not all of it, so that the disk is read, too.
                        .withSettings(Map.of("KVSTORE_MEMORY_TIER_SIZE", "64M", "KVSTORE_DISK_TIER_SIZE", "1G")),
                line -> err.println("train: " + line),
                (stack, folder) -> {
                    exercise(stack);
                    stop(stack);
                    List<Path> made = new ArrayList<>();
                    for (Program program : Program.values()) {
                        made.add(create(program, program.jar(home), folder));
                    }
                    return made;
                });
        for (Path cache : caches) {
            err.printf("train: %s, %,d MB%n", cache, Files.size(cache) >> 20);
        }
    }

    private static Map<Program, List<String>> recordingFlags(Path folder) {
        Map<Program, List<String>> flags = new EnumMap<>(Program.class);
        for (Program program : Program.values()) {
            flags.put(program, List.of("-XX:AOTMode=record", "-XX:AOTConfiguration=" + recording(program, folder)));
        }
        return flags;
    }

    /** Typical work of a data plane for a few seconds: writes, lookups, reads, of big blocks and of small ones. */
    private static void exercise(LocalStack stack) throws InterruptedException {
        try (KvClient client = ServiceAccess.of(stack).client(0, 1)) {
            for (int blockBytes : BLOCK_BYTES) {
                StoredPrompts stock =
                        new StoredPrompts("train/" + blockBytes, PROMPTS, BLOCKS, blockBytes).write(client);
                PromptCalls calls = new PromptCalls(client, blockBytes);
                for (int i = 0; i < TIMES; i++) {
                    Prompt prompt = stock.prompt(i % PROMPTS);
                    int missed = calls.lookUp(prompt) + calls.read(prompt, i) + calls.stream(prompt);
                    if (missed > 0) {
                        throw new LaunchException("blocks that were stored just now are not found: " + missed);
                    }
                }
            }
        }
        // Monitoring asks for this page.
        var _ = stack.dataPlane(0).metrics();
    }

    /** Java writes its recording as it ends; killed meanwhile, on a busy machine, it leaves half of one. */
    private static void stop(LocalStack stack) {
        stack.dataPlane(0).process().stop(PATIENCE);
        StackControlPlane controlPlane = stack.controlPlane();
        if (controlPlane != null) {
            controlPlane.process().stop(PATIENCE);
        }
    }

    /** The program does not run here: java makes the cache of the recording, and ends. */
    private static Path create(Program program, Path jar, Path folder) throws IOException, InterruptedException {
        Path made = folder.resolve(program + ".aot");
        Path log = folder.resolve("logs").resolve("cache-of-" + program + ".log");
        List<String> command = new ArrayList<>(program.command(
                jar,
                List.of(
                        "-XX:AOTMode=create",
                        "-XX:AOTConfiguration=" + recording(program, folder),
                        "-XX:AOTCache=" + made)));
        try (ManagedProcess process = ManagedProcess.start("java", command, Map.of(), log)) {
            if (!process.endsWithin(PATIENCE) || !Files.exists(made)) {
                throw new LaunchException("there is no AOT cache of the " + program.title() + ": java made none");
            }
        }
        try {
            Program.adopt(made, jar);
            // A program that starts meanwhile has all of it, or none.
            return Files.move(made, Program.cache(jar), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new LaunchException("the AOT cache cannot be kept: " + IoReason.withFile(e), e);
        }
    }

    private static Path recording(Program program, Path folder) {
        return folder.resolve(program + ".aotconf");
    }
}
