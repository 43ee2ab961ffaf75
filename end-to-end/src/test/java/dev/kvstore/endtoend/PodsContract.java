package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.JvmOptions;
import dev.kvstore.protocol.v1.LookupRequest;
import dev.kvstore.protocol.v1.LookupResponse;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.v1.ReadRequest;
import dev.kvstore.protocol.v1.ReadResponse;
import dev.kvstore.protocol.v1.WriteRequest;
import dev.kvstore.testing.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The pods of a release as their manifests say, on a network of some family of addresses. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PodsContract {
    private static final long BOUND = 2L << 30;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path folder;

    private final PodNetwork.Family family;
    private PodCluster cluster;
    private String key = "";

    PodsContract(PodNetwork.Family family) {
        this.family = family;
    }

    @BeforeAll
    void start() throws Exception {
        Container.requireRoot();
        GoTool.run(folder, Map.of(), List.of("chmod", "755", folder.toString()));
        Kv.KvResult built = Kv.run(folder, Map.of(), List.of("image", "--tar", folder.toString()), 900);
        assertThat(built.exitCode()).as(built.err()).isZero();
        cluster = PodCluster.start(
                family, folder, new PodCluster.Images(image("control-plane"), image("data-plane"), image("admin")));
        key = cluster.admin().newKey();
        await().atMost(Patience.LIMIT).until(cluster.admin()::isReady);
    }

    private static OciImage image(String kind) throws Exception {
        String machine = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
        return OciImage.open(folder.resolve(kind + "-" + machine + ".tar"));
    }

    @AfterAll
    void stop() throws Exception {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    void processesHaveNoRightBesidesTheirUsers() throws Exception {
        for (String pod : List.of("control-plane-0", "data-plane-0", "data-plane-1")) {
            String status =
                    Files.readString(Path.of("/proc/" + cluster.process(pod).pid() + "/status"));
            assertThat(status)
                    .contains("Uid:\t10001\t10001\t10001\t10001", "CapEff:\t0000000000000000", "NoNewPrivs:\t1");
            assertThat(cluster.log(pod)).content().doesNotContain("\tat ", "cannot be written", "[warning]");
        }
    }

    @Test
    void aDataPlaneOfOneCpuCollectsGarbageAsABiggerOneDoes() throws Exception {
        assertThat(cluster.get("data-plane-0", 9085, "/q/metrics"))
                .contains("jvm_memory_used_bytes", "G1 Eden Space")
                .doesNotContain("Tenured Gen");
    }

    @Test
    void aClientOfGrpcCoreIsServedByFullNamesFromAnotherNamespace() throws Exception {
        TestPrompt prompt = TestPrompt.unique(1);
        byte[] bytes = TestPrompt.bytes(1_200_000, 7);
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        String partition = prompt.partition().name();
        List<Integer> tokens = Arrays.stream(prompt.tokens().toArray()).boxed().toList();
        WriteRequest write = WriteRequest.newBuilder()
                .setResourceName("demo")
                .setPartition(partition)
                .setBlockTokens(tokens.size())
                .setChunk(PromptChunk.newBuilder()
                        .addAllTokens(tokens)
                        .setBuffer(ByteString.copyFrom(bytes))
                        .setCrc32C((int) crc.getValue()))
                .build();
        LookupRequest lookup = LookupRequest.newBuilder()
                .setResourceName("demo")
                .setPartition(partition)
                .setBlockTokens(tokens.size())
                .addAllTokens(tokens)
                .build();

        call(PodCluster.host(0), "Write", write.toByteArray());

        await().atMost(Patience.LIMIT)
                .until(() -> LookupResponse.parseFrom(call(PodCluster.host(1), "Lookup", lookup.toByteArray()))
                                .getCachedBlocks()
                        == 1);
        ReadRequest read = ReadRequest.newBuilder()
                .setResourceName("demo")
                .setLocation(LookupResponse.parseFrom(call(PodCluster.host(1), "Lookup", lookup.toByteArray()))
                        .getLocations(0))
                .build();
        ReadResponse found = ReadResponse.parseFrom(call(PodCluster.DATA_PLANES, "Read", read.toByteArray()));
        assertThat(found.getChunk().getBuffer().toByteArray()).isEqualTo(bytes);
    }

    private byte[] call(String host, String method, byte[] request) throws Exception {
        return PythonGrpc.call(cluster, folder, host + ":8085", key, method, request);
    }

    @Test
    void blocksOfAllSizesPassWithinTheLimitsOfMemory() throws Exception {
        assertBlocksOfAllSizesPass("sizes");
    }

    /** @param name of the file that keeps what the traffic said */
    final void assertBlocksOfAllSizesPass(String name) throws Exception {
        Process traffic = traffic(name, 20, "BIG");

        assertThat(traffic.waitFor(4, TimeUnit.MINUTES)).isTrue();
        assertThat(traffic.exitValue()).as(said(name)).isZero();
        System.out.println(
                family + ", " + name + ": " + said(name).lines().toList().getLast());
        for (Map.Entry<String, PodLimits> limit : cluster.limits().entrySet()) {
            System.out.printf(
                    "%s: at most %,d MB, %d killed%n",
                    limit.getKey(),
                    limit.getValue().peak() / 1_000_000,
                    limit.getValue().killed());
            assertThat(limit.getValue().killed()).isZero();
            assertThat(limit.getValue().peak()).isLessThanOrEqualTo(BOUND);
        }
    }

    @Test
    void aPodThatStopsLosesNoCall() throws Exception {
        Process traffic = traffic("stop", 25);
        await().atMost(Patience.LIMIT).until(() -> said("stop").contains("so far") || !traffic.isAlive());

        // As a JVM ends that SIGTERM was sent to.
        assertThat(cluster.stopDataPlane(1)).isIn(0, 143);

        assertThat(traffic.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(traffic.exitValue()).as(said("stop")).isZero();
        cluster.restartDataPlane(1);
    }

    final PodCluster cluster() {
        return cluster;
    }

    /** The class path of this module's tests, however their own JVM got it. */
    private static String classPath() throws Exception {
        Path target = Home.current().path().resolve("end-to-end/target");
        return target.resolve("test-classes") + ":"
                + Files.readString(target.resolve("test-classpath.txt")).strip();
    }

    private Process traffic(String name, int seconds, String... more) throws Exception {
        List<String> command =
                new ArrayList<>(JvmOptions.java(List.of("-Xmx512m", "-XX:MaxDirectMemorySize=1g", "-cp", classPath())));
        command.addAll(List.of(PodTraffic.class.getName(), PodCluster.CONTROL_PLANE + ":9090"));
        command.addAll(List.of(cluster.authority().toString(), "demo", "local", key, "" + seconds));
        command.addAll(List.of(more));
        return new ProcessBuilder(cluster.inClientPod(command))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".traffic").toFile())
                .start();
    }

    private static String said(String name) throws Exception {
        return Files.readString(folder.resolve(name + ".traffic"));
    }
}
