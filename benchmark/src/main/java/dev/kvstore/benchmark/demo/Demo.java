package dev.kvstore.benchmark.demo;

import dev.kvstore.benchmark.measure.BenchCommand;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.measure.BenchStack;
import dev.kvstore.benchmark.python.PythonEnvironment;
import dev.kvstore.launcher.CommandLines;
import dev.kvstore.launcher.EnumConverter;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.stack.ControlPorts;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StorageKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kv demo}: the main job on real text, over a stack of its own. */
@Command(
        name = "kv demo",
        description =
                "The main job on real text, over a stack of its own: a control plane, where a tenant is registered"
                        + " over REST, and two data planes, all on free ports; conversations that share a system prompt,"
                        + " looked up, restored and written turn by turn; then everything once more"
                        + " through the other data plane, and again after a restart. Every restored byte is verified. Exit code"
                        + " 0 only if all checks held.",
        footer = "kv demo --engine vllm: a real engine instead; needs 7 GB, made by pip once.")
public final class Demo extends BenchCommand {
    private static final int MOST_BLOCK_BYTES = 64 << 20;

    /** The client libraries that the demo can use. */
    enum ClientLibrary {
        JAVA,
        PYTHON;

        private String text() {
            return this == JAVA ? "the Java SDK" : "the Python client";
        }
    }

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
            names = "--block-bytes",
            paramLabel = "N",
            defaultValue = "1200000",
            description = "Bytes per block of 128 tokens, 1 to 67108864; generated from the block's hash. Default:"
                    + " ${DEFAULT-VALUE}.")
    private int blockBytes;

    @Option(
            names = "--storage",
            converter = StorageKind.Converter.class,
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

    public static void main(String[] arguments) {
        System.exit(CommandLines.execute(commandLine(), arguments));
    }

    static CommandLine commandLine() {
        return CommandLines.of(new Demo())
                .registerConverter(ClientLibrary.class, new EnumConverter<>(ClientLibrary.class));
    }

    @Override
    protected void check() {
        require("--conversations", conversations, 1, ConversationCutter.MAX_COUNT);
        require("--block-bytes", blockBytes, 1, MOST_BLOCK_BYTES);
    }

    @Override
    protected BenchReport measure(BenchProgress progress) throws IOException, InterruptedException {
        Home home = Home.current();
        List<Path> sources = files.isEmpty() ? Texts.documents(home.path()) : files;
        if (sources.isEmpty()) {
            throw new IllegalArgumentException("--text: there is no *.md in " + home.path() + "; name a UTF-8 file");
        }
        String text = Texts.read(sources);
        progress.accept("tokenising %d files (%d characters)".formatted(sources.size(), text.length()));
        List<DemoConversation> cut = ConversationCutter.of(conversations).cut(text);
        if (client == ClientLibrary.PYTHON) {
            progress.accept("preparing Python, which takes a minute the first time");
        }
        PythonEnvironment python = client == ClientLibrary.PYTHON ? PythonEnvironment.of(home) : null;
        progress.accept("starting a control plane and two data planes over " + storage + " storage");
        return BenchStack.during(
                options -> options.withStorage(storage).withControlPlane(ControlPorts.FREE),
                progress,
                (stack, folder) -> {
                    progress.accept("tenant " + LocalStack.TENANT + ", key " + stack.key() + ", resource "
                            + LocalStack.RESOURCE);
                    String key = stack.key().text();
                    DemoClient.DemoClients clients = python == null
                            ? JavaClient.clients(key, blockBytes)
                            : PythonClient.clients(python, key, blockBytes, folder);
                    return new DemoRun(cut, blockBytes, stack, clients, progress)
                            .run(client.text(), storage.toString());
                });
    }
}
