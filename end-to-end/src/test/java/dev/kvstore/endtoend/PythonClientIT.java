package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kvstore.client.BlockResult;
import dev.kvstore.client.BlockStream;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.NewBlock;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.stack.StorageKind;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The Python client's own checks and tests, and blocks that pass between it and the Java SDK. */
class PythonClientIT {
    private static final Path SOURCE = Home.current().path().resolve("client-python/kvstore-client");
    private static final Path REQUIREMENTS = SOURCE.resolve("requirements-test.txt");
    private static final String IS_NEW_ENOUGH = "import sys; sys.exit(sys.version_info < (3, 10))";
    private static final int MINUTES = 10;

    private static final int BLOCKS = 6;
    private static final int BLOCK_TOKENS = 128;
    private static final int BLOCK_BYTES = 300_000;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    @Test
    void isFormattedLintedAndTyped() throws Exception {
        Path tools = tools();

        assertThat(said(tools, Map.of(), "ruff", "format", "--check", ".")).contains("already formatted");
        assertThat(said(tools, Map.of(), "ruff", "check", ".")).contains("All checks passed");
        assertThat(said(tools, Map.of(), "mypy")).contains("no issues found");
    }

    @Test
    void passesItsTestsAgainstARealStackAndSharesBlocksWithJava() throws Exception {
        Path tools = tools();
        String java = "python-client/java-wrote";
        String python = "python-client/python-wrote";
        try (KvUp up = KvUp.start(folder, StorageKind.FILESYSTEM);
                KvClient client = KvClient.builder()
                        .endpoints(up.endpoints().toArray(String[]::new))
                        .apiKey(up.apiKey())
                        .resource(up.resourceName())
                        .build()) {
            write(client, java);

            Map<String, String> environment = Map.of(
                    "KVSTORE_TEST_STACK",
                    up.json().toString(),
                    "KVSTORE_TEST_JAVA_PARTITION",
                    java,
                    "KVSTORE_TEST_PYTHON_PARTITION",
                    python,
                    "KVSTORE_TEST_KILL",
                    "yes");
            assertThat(said(tools, environment, "pytest", "-rs", "-p", "no:cacheprovider"))
                    .contains(" passed")
                    .doesNotContain("skipped");

            assertIsStored(client, python);
        }
    }

    private static BlockChain chain(String partition) {
        return BlockChain.of(
                Partition.of(partition),
                Tokens.of(IntStream.range(0, BLOCKS * BLOCK_TOKENS).toArray()));
    }

    /** Byte i of a block, as test_stack.py has it. */
    private static byte[] content(int block) {
        byte[] bytes = new byte[BLOCK_BYTES];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) ((31 * (i % 251) + 7 + block) % 251);
        }
        return bytes;
    }

    private static void write(KvClient client, String partition) {
        BlockChain chain = chain(partition);
        int[] tokens = IntStream.range(0, BLOCKS * BLOCK_TOKENS).toArray();
        for (int i = 0; i < BLOCKS; i++) {
            Tokens own = Tokens.slice(tokens, i * BLOCK_TOKENS, BLOCK_TOKENS);
            var _ = client.write(Partition.of(partition), NewBlock.of(chain, i, own, ByteBuffer.wrap(content(i))));
        }
    }

    private static void assertIsStored(KvClient client, String partition) {
        BlockChain chain = chain(partition);
        assertThat(client.lookup(Partition.of(partition), chain).cachedBlocks()).isEqualTo(BLOCKS);
        int read = 0;
        try (BlockStream blocks = client.read(chain)) {
            for (BlockResult result : blocks) {
                assertThat(result).isInstanceOfSatisfying(BlockResult.Found.class, found -> {
                    try (var block = found.block()) {
                        ByteBuffer bytes = ByteBuffer.allocate(block.length());
                        block.copyTo(bytes);
                        assertThat(bytes.array()).isEqualTo(content(found.index()));
                    }
                });
                read++;
            }
        }
        assertThat(read).isEqualTo(BLOCKS);
    }

    /** Programs that the tests need, installed below {@code target} where that was not done before. */
    private static Path tools() throws IOException, InterruptedException {
        String name = "kvstore-client-"
                + Integer.toHexString(Files.readString(REQUIREMENTS).hashCode());
        Path home = Home.current().target().resolve("python-tools").resolve(name);
        Path lock = Files.createDirectories(home).resolve("lock");
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock _ = channel.lock()) {
            install(home);
        }
        return home.resolve("bin");
    }

    private static void install(Path home) throws IOException, InterruptedException {
        Path installed = home.resolve("installed");
        if (Files.exists(installed)) {
            return;
        }
        assumeTrue(GoTool.isOnPath("python3"), "missing: python3, 3.10 or newer, which the Python client is for");
        boolean isOld = isError(GoTool.run(home, Map.of(), List.of("python3", "-c", IS_NEW_ENOUGH)));
        assumeTrue(!isOld, "missing: Python 3.10 or newer; the python3 on the PATH is older");
        String made = GoTool.run(home, Map.of(), List.of("python3", "-m", "venv", home.toString()));
        assumeTrue(!isError(made), "missing: the module venv of python3: " + made);
        String pip = home.resolve("bin/pip").toString();
        List<String> install = List.of(pip, "install", "--quiet", "--only-binary=:all:", "-r", REQUIREMENTS.toString());
        String got = GoTool.run(home, Map.of(), install);
        assumeTrue(!isError(got), "missing: packages of requirements-test.txt from a Python package index: " + got);
        Files.createFile(installed);
    }

    private static boolean isError(String said) {
        return said.contains("exit code");
    }

    /** The output of a program that succeeds. */
    private String said(Path tools, Map<String, String> environment, String program, String... words)
            throws IOException, InterruptedException {
        Path said = folder.resolve(program + ".txt");
        ProcessBuilder builder = new ProcessBuilder(tools.resolve(program).toString())
                .directory(SOURCE.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile());
        builder.command().addAll(List.of(words));
        builder.environment().putAll(environment);
        builder.environment().put("PATH", tools + ":" + System.getenv("PATH"));
        builder.environment().put("PYTHONPATH", SOURCE.resolve("src").toString());
        Process process = builder.start();
        process.getOutputStream().close();
        boolean ended = process.waitFor(MINUTES, TimeUnit.MINUTES);
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        String text = Files.readString(said);
        assertThat(ended)
                .as("%s ends within %d min: %s", program, MINUTES, text)
                .isTrue();
        assertThat(process.exitValue()).as(text).isZero();
        return text;
    }
}
