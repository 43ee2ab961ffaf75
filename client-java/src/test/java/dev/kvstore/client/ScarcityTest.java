package dev.kvstore.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.wire.WireNames;
import dev.kvstore.testing.Patience;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@link ScarceProcess}, with room for a handful of threads with large stacks, and 64 MiB for buffers. */
@Tag("slow")
class ScarcityTest {
    private static final int ADDRESS_KIB = 8_000_000;

    private final StoringScript script = new StoringScript();
    private final ScriptedServer server = new ScriptedServer(script);

    @BeforeEach
    void needsALimitOfAddresses() {
        assumeThat(System.getProperty("os.name"))
                .as("a system whose shells limit addresses")
                .isEqualTo("Linux");
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void everyFutureOfAWriterCompletesOneAfterTheOther() throws Exception {
        assertThat(run("writer")).containsExactly("finish: well", "300 complete");
    }

    @Test
    void aWriterWhoseOnlyThreadIsHeldFinishesAtItsDeadline() throws Exception {
        assertThat(run("stuck writer")).containsExactly("finish: DEADLINE_EXCEEDED", "1 complete");
    }

    @Test
    void callsThatNeedAThreadFailForWantOfIt() throws Exception {
        assertThat(run("new calls"))
                .containsExactly(
                        "lookup: RESOURCE_EXHAUSTED",
                        "onError: RESOURCE_EXHAUSTED",
                        "subscribe: well",
                        "writer: RESOURCE_EXHAUSTED",
                        "build: RESOURCE_EXHAUSTED");
    }

    @Test
    void aConnectionIsMadeOnceThereIsAThreadAgain() throws Exception {
        assertThat(run("new connection")).containsExactly("lookup: RESOURCE_EXHAUSTED", "later lookup: well");
    }

    @Test
    void readsThatPauseLeaveMemoryForOthersAndLoseNothing() throws Exception {
        BlockChain chain = SdkBlocks.chain(ScarceProcess.READ_BLOCKS);
        for (int i = 0; i < chain.size(); i++) {
            script.blocks.put(WireNames.field(chain.hash(i)), SdkBlocks.chunk(chain, i, 1 << 20));
        }

        assertThat(run("paused reads")).containsExactly("paused reads: well", "lookup: well", "reads: well");
    }

    @Test
    void memoryThatTheProcessLacksIsNotTheServersFault() throws Exception {
        assertThat(run("no memory")).containsExactly("lookup: RESOURCE_EXHAUSTED", "later lookup: well");
    }

    private List<String> run(String what) throws Exception {
        String java = System.getProperty("java.home") + File.separator + "bin" + File.separator + "java";
        Process process = new ProcessBuilder(
                        "sh",
                        "-c",
                        "ulimit -v " + ADDRESS_KIB + " && exec \"$@\"",
                        "sh",
                        java,
                        "-Xss256m",
                        "-Xmx128m",
                        "-XX:MaxDirectMemorySize=64m",
                        "-Xlog:disable",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:CompressedClassSpaceSize=64m",
                        "-XX:ReservedCodeCacheSize=64m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ScarceProcess.class.getName(),
                        server.endpoint(),
                        what)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertThat(process.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .as("the program ends")
                    .isTrue();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } finally {
            process.destroyForcibly();
        }
    }
}
