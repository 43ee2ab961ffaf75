package dev.kvstore.benchmark.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.benchmark.measure.BenchFolder;
import dev.kvstore.benchmark.python.PythonEnvironment;
import dev.kvstore.launcher.EnumConverter;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.Launcher;
import dev.kvstore.launcher.StopSignal;
import dev.kvstore.launcher.UserEnvironment;
import dev.kvstore.launcher.Version;
import dev.kvstore.launcher.stack.ControlPorts;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.ReportFile;
import dev.kvstore.launcher.stack.StackLayout;
import dev.kvstore.launcher.stack.StackOptions;
import dev.kvstore.launcher.stack.StorageKind;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kv demo}: the main job on real text, over a stack of its own. */
@Command(
        name = "kv demo",
        description =
                "The main job on real text, over a stack of its own: a control plane, where a tenant is registered"
                        + " over REST, and two data planes, all on free ports; conversations that share a system prompt,"
                        + " looked up, restored and written turn by turn; then everything once more"
                        + " through the other data plane, and again after a restart. Every restored byte is verified. Exit code"
                        + " 0 only if all checks held.",
        footer = "kv demo --engine vllm: a real engine instead; needs 7 GB, made by pip once.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
public final class Demo implements Callable<Integer> {
    @Option(
            names = "--text",
            arity = "1..*",
            paramLabel = "FILE",
            description = "UTF-8 text the conversations are about. Default: this repository's documents (*.md).")
    private List<Path> files = List.of();

    @Option(
            names = "--conversations",
            paramLabel = "N",
            defaultValue = "4",
            description = "Conversations, 1 to " + ConversationCutter.MAX_COUNT
                    + ", of 4 turns each. Default: ${DEFAULT-VALUE}.")
    private int conversations;

    @Option(
            names = "--regions",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "1 or 2, with two data planes and a storage each, 60 ms apart: with 2, those of the first are killed."
                            + " Default: ${DEFAULT-VALUE}.")
    private int regions;

    @Option(
            names = "--block-bytes",
            paramLabel = "N",
            defaultValue = "1200000",
            description = "Bytes per block of 128 tokens, 1 to 67108864; generated from the block's hash. Default:"
                    + " ${DEFAULT-VALUE}.")
    private int blockBytes;

    @Option(
            names = "--storage",
            paramLabel = "KIND",
            defaultValue = "filesystem",
            description = "Storage of the blocks: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private StorageKind storage = StorageKind.FILESYSTEM;

    @Option(
            names = "--client",
            paramLabel = "LIBRARY",
            defaultValue = "java",
            description =
                    "The client library: ${COMPLETION-CANDIDATES}. python needs Python 3.10 or newer with venv, and a"
                            + " package index the first time. Default: ${DEFAULT-VALUE}.")
    private ClientLibrary client = ClientLibrary.JAVA;

    @Option(names = "--json", paramLabel = "FILE", description = "Write every figure to this file too.")
    private @Nullable Path json;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    public static void main(String[] arguments) {
        System.exit(Launcher.execute(commandLine(), arguments));
    }

    static CommandLine commandLine() {
        return Launcher.commandLine(new Demo())
                .registerConverter(ClientLibrary.class, new EnumConverter<>(ClientLibrary.class));
    }

    @Override
    public Integer call() throws Exception {
        ReportFile file = ReportFile.of(json);
        UserEnvironment.warn(line -> say(spec.commandLine().getErr(), line));
        return StopSignal.guard(spec.commandLine().getErr(), () -> demonstrate(file));
    }

    private int demonstrate(ReportFile file) throws IOException, InterruptedException {
        Home home = Home.current();
        PrintWriter err = spec.commandLine().getErr();
        List<Path> sources = files.isEmpty() ? Texts.documents(home.path()) : files;
        if (sources.isEmpty()) {
            throw new IllegalArgumentException("--text: there is no *.md in " + home.path() + "; name a UTF-8 file");
        }
        DemoOptions options = new DemoOptions(Texts.read(sources), conversations, regions, blockBytes, storage);
        ConversationCutter shape = ConversationCutter.of(options.conversations());
        say(
                err,
                "tokenising %d files (%d characters)"
                        .formatted(sources.size(), options.text().length()));
        List<DemoConversation> cut = shape.cut(options.text());
        PythonEnvironment python = null;
        if (client == ClientLibrary.PYTHON) {
            say(err, "preparing Python, which takes a minute the first time");
            python = PythonEnvironment.of(home);
        }
        DemoReport report = run(home, options, cut, python, err);
        spec.commandLine().getOut().print(ReportTable.of(report));
        spec.commandLine().getOut().flush();
        file.write(new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(report));
        return report.passed() ? 0 : 1;
    }

    /** @param python null for the Java SDK */
    private static DemoReport run(
            Home home,
            DemoOptions options,
            List<DemoConversation> cut,
            @Nullable PythonEnvironment python,
            PrintWriter err)
            throws IOException, InterruptedException {
        Files.createDirectories(home.target());
        try (BenchFolder folder = BenchFolder.in(home.target(), "kv-demo-")) {
            StackOptions stackOptions = StackOptions.onFreePorts(home, folder.path())
                    .withStorage(options.storage())
                    .withControlPlane(ControlPorts.FREE)
                    .withLayout(StackLayout.of(options.regions(), 2, StackLayout.ROUND_TRIP));
            say(
                    err,
                    "starting a control plane and "
                            + (options.regions() == 1 ? "two data planes" : "two data planes in each of two regions")
                            + " over " + options.storage() + " storage");
            boolean passed = false;
            try (LocalStack stack = LocalStack.start(stackOptions, new SecureRandom())) {
                say(err, "tenant " + LocalStack.TENANT + ", key " + stack.key() + ", resource " + LocalStack.RESOURCE);
                String key = stack.key().text();
                DemoClients clients = python == null
                        ? new JavaClients(key, options.blockBytes())
                        : new PythonClients(python, key, options.blockBytes(), folder.path());
                Path routes = folder.path().resolve("routes");
                DemoReport report = new DemoRun(options, cut, stack, clients, routes, line -> say(err, line)).run();
                passed = report.passed();
                return report;
            } finally {
                if (!passed) {
                    Path logs = home.target().resolve("kv-demo-logs");
                    folder.rescue("logs", logs);
                    say(err, "the processes' logs are kept in " + logs);
                }
            }
        }
    }

    private static void say(PrintWriter err, String line) {
        err.println("demo: " + line);
        err.flush();
    }
}
