package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvstore.client.KvClient;
import dev.kvstore.launcher.process.Readiness;
import dev.kvstore.testing.FreePorts;
import dev.kvstore.testing.Patience;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A machine of two NUMA nodes as one: its health, its drain, and the end that Azure has scheduled for it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@EnabledOnOs(value = OS.LINUX, disabledReason = "CPUs are bound by taskset, which is Linux' own")
class MachineIT {
    private static final String KEY = "kv_a_secret";
    private static final Duration GRACE = Duration.ofSeconds(2);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path folder;

    private final int port = FreePorts.row(3, 0, 1_000);
    private final int otherPort = port + 2;
    private final int healthPort = FreePorts.row(1);
    private final List<Process> processes = new ArrayList<>();
    private Map<String, String> environment = Map.of();
    private AzureVm azure;

    @BeforeAll
    void start() throws Exception {
        azure = AzureVm.start();
        environment = new HashMap<>(NumaTree.environment(folder.resolve("machine")));
        environment.put("KVSTORE_DRAIN_GRACE_PERIOD", GRACE.toSeconds() + "s");
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(KEY.getBytes(StandardCharsets.UTF_8));
        Files.createDirectories(folder.resolve("storage"));
        Files.writeString(folder.resolve("accounts.json"), """
                {"tenants": [{"name": "t", "keys": [{"id": "a", "sha256": "%s"}], "accounts": [
                {"resourceName": "demo", "storage": {"type": "filesystem", "path": "%s"}}]}]}
                """.formatted(
                        HexFormat.of().formatHex(hash), folder.resolve("storage")));
        run(
                "machine",
                List.of(
                        "node",
                        "up",
                        "--host",
                        "127.0.0.1",
                        "--port",
                        "" + port,
                        "--accounts",
                        "accounts.json",
                        "--health-port",
                        "" + healthPort,
                        "--azure-scheduled-events",
                        azure.address().toString()));
        Map<String, String> alone = new HashMap<>(environment);
        alone.put("KVSTORE_MEMORY_TIER_SIZE", "64M");
        processes.add(Kv.start(
                folder,
                alone,
                List.of("node", "--host", "127.0.0.1", "--port", "" + otherPort, "--accounts", "accounts.json"),
                folder.resolve("other.out"),
                folder.resolve("other.err")));
        await().atMost(Patience.LIMIT).until(() -> isReady(healthPort) && isReady(otherPort + 1_000));
    }

    private void run(String name, List<String> arguments) throws IOException {
        processes.add(
                Kv.start(folder, environment, arguments, folder.resolve(name + ".out"), folder.resolve(name + ".err")));
    }

    @AfterAll
    void stop() {
        for (Process process : processes) {
            List<ProcessHandle> children = process.descendants().toList();
            process.destroyForcibly();
            children.forEach(ProcessHandle::destroyForcibly);
        }
        azure.close();
    }

    private static boolean isReady(int port) {
        return Readiness.http(URI.create("http://127.0.0.1:" + port + "/q/health/ready"))
                .isReady();
    }

    private Kv.KvResult drain(String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("node", "drain", "--health-port", "" + healthPort));
        arguments.addAll(List.of(more));
        return Kv.run(folder, environment, arguments);
    }

    @Test
    void isDrainedByOneCommandAndTakesCallsAgainByAnother() throws Exception {
        Kv.KvResult drained = drain();

        assertThat(drained.exitCode()).as(drained.err()).isZero();
        assertThat(drained.out()).contains("drained: no calls are left");
        assertThat(isReady(healthPort)).isFalse();
        for (int node = 0; node < 2; node++) {
            assertThat(isReady(port + 1_000 + node)).isFalse();
        }

        Kv.KvResult undone = drain("--undo");

        assertThat(undone.out()).contains("not drained any more");
        await().atMost(Patience.LIMIT).until(() -> isReady(healthPort));
    }

    @Test
    void aPortWithoutAMachineIsNamed() throws Exception {
        Kv.KvResult result = Kv.run(folder, environment, List.of("node", "drain", "--health-port", "" + otherPort));

        assertThat(result.exitCode()).isNotZero();
        assertThat(result.err()).contains("--health-port").doesNotContain("\tat ");
    }

    @Test
    void whatAzureHasScheduledForAnotherMachineOrOnlyFreezesThisOneDrainsNothing() throws Exception {
        for (String[] event : List.of(new String[] {"Reboot", "kv-vm_4"}, new String[] {"Freeze", AzureVm.NAME})) {
            azure.schedule("harmless", event[0], event[1], Duration.ofMinutes(10));
            int asked = azure.asked();
            await().atMost(Patience.LIMIT).until(() -> azure.asked() >= asked + 2);
            assertThat(isReady(healthPort)).as(event[0]).isTrue();
        }
        azure.callOff();
        assertThat(azure.started()).doesNotContain("harmless");
    }

    @Test
    void anEndThatAzureHasScheduledCostsNoCallAndIsNotWaitedForLongerThanNeeded() throws Exception {
        TestPrompt prompt = TestPrompt.unique(4);
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger calls = new AtomicInteger();
        ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
        try (KvClient client = KvClient.builder()
                .endpoints("127.0.0.1:" + port, "127.0.0.1:" + (port + 1), "127.0.0.1:" + otherPort)
                .resource("demo")
                .apiKey(KEY)
                .build()) {
            for (int i = 0; i < 4; i++) {
                client.write(prompt.partition(), prompt.block(i, TestPrompt.bytes(50_000, i)));
            }
            List<Thread> callers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                int block = i;
                callers.add(Thread.startVirtualThread(() -> {
                    while (!over.get()) {
                        try (var read = client.readBlock(prompt.chain().location(block))) {
                            assertThat(read.length()).isEqualTo(50_000);
                            calls.incrementAndGet();
                        } catch (RuntimeException e) {
                            failures.add(String.valueOf(e.getMessage()));
                        }
                    }
                }));
            }
            await().atMost(Patience.LIMIT).until(() -> calls.get() > 100);

            azure.schedule("ours", "Terminate", AzureVm.NAME, Duration.ofMinutes(10));

            await().atMost(Patience.LIMIT).until(() -> azure.started().contains("ours"));
            assertThat(isReady(healthPort)).isFalse();
            int before = calls.get();
            await().atMost(Patience.LIMIT).until(() -> calls.get() > before + 100);
            azure.callOff();
            await().atMost(Patience.LIMIT).until(() -> isReady(healthPort));
            over.set(true);
            for (Thread caller : callers) {
                caller.join();
            }
        }
        assertThat(failures).isEmpty();
        assertThat(Files.readString(folder.resolve("machine.err")))
                .contains("Azure will end this machine at ", "no calls are left: Azure may go on", "takes calls again")
                .doesNotContain("Exception");
    }
}
