package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kvstore.client.BlockResult;
import dev.kvstore.client.BlockStream;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.NewBlock;
import dev.kvstore.launcher.stack.StorageKind;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The Python client's own checks and tests, and blocks that pass between it and the Java SDK. */
class PythonClientIT {
    private static final int BLOCKS = 6;
    private static final int BLOCK_TOKENS = 128;
    private static final int BLOCK_BYTES = 300_000;

    /** PythonFaultsIT runs these. */
    private static final String FAULTS_APART = "--ignore=tests/test_faults.py";

    private static final String PROXY_TESTS = "tests/test_proxy.py";

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    @Test
    void isFormattedLintedAndTyped() throws Exception {
        PythonTools.of("kvstore-client", folder).check();
    }

    @Test
    void passesItsTestsAgainstARealStackAndSharesBlocksWithJava() throws Exception {
        PythonTools tools = PythonTools.of("kvstore-client", folder);
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
            String proxyApart = "--ignore=" + PROXY_TESTS;
            assertThat(tools.run(environment, "pytest", "-rs", "-p", "no:cacheprovider", FAULTS_APART, proxyApart))
                    .contains(" passed")
                    .doesNotContain("skipped");

            assertIsStored(client, python);
        }
    }

    @Test
    void hearsWhatAProxyAnswers() throws Exception {
        boolean hasNginx = GoTool.isOnPath("nginx") || Files.isExecutable(Path.of("/usr/sbin/nginx"));
        assumeTrue(hasNginx, "missing: nginx, of the package nginx-light");
        PythonTools tools = PythonTools.of("kvstore-client", folder);
        assertThat(tools.run(Map.of(), "pytest", "-rs", "-p", "no:cacheprovider", PROXY_TESTS))
                .contains(" passed")
                .doesNotContain("skipped");
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
}
