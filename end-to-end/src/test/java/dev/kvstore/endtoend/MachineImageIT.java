package dev.kvstore.endtoend;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kvstore.client.KvClient;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.process.Readiness;
import dev.kvstore.testing.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code deploy/machine/image/install.sh} makes a machine of a bare system of this machine's release, and both programs
 * run there as their units start them. The system is a folder, so systemd itself does not run.
 */
@Tag("full")
@EnabledOnOs(value = OS.LINUX, disabledReason = "machines are of Linux")
class MachineImageIT {
    private static final Path MACHINE = Home.current().path().resolve("deploy/machine");
    private static final String KEY = "kv_0a1b2c3d_of-no-value";
    private static final String TOKEN = "kva_0123456789abcdef0123456789abcdef";
    private static final Pattern START = Pattern.compile("(?m)^ExecStart=(.*)$");
    private static final Pattern OF_THE_IMAGE = Pattern.compile("/opt/kv/[\\w./-]+");

    private static final String WITHIN = """
            set -e; root="$1"; shift
            mount -t proc proc "$root/proc"
            mount --rbind /dev "$root/dev"
            mount --rbind /sys "$root/sys"
            exec chroot "$root" "$@"
            """;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path folder;

    @BeforeAll
    static void install() throws Exception {
        Container.requireRoot();
        assumeTrue(GoTool.isOnPath("debootstrap"), "missing: debootstrap, of the package debootstrap");
        String release = release();
        String said = GoTool.run(
                folder,
                Map.of(),
                List.of("debootstrap", "--variant=minbase", "--include=systemd-sysv", release, root().toString()));
        assumeTrue(!said.contains("exit code"), "missing: packages of " + release + ", for debootstrap: " + said);

        Kv.KvResult packed =
                Kv.run(folder, Map.of(), List.of("image", "--machine", folder.toString(), "--no-aot-cache"), 900);
        assertThat(packed.exitCode()).as(packed.err()).isZero();
        Path archive = Path.of(packed.out().strip().replaceFirst("sha256:\\w+ +", ""));
        Files.move(archive, root().resolve("kv.tar.gz"));
        Files.copy(MACHINE.resolve("image/install.sh"), root().resolve("install.sh"));
        assertThat(run("/install.sh", "/kv.tar.gz")).doesNotContain("exit code");
    }

    @Test
    void systemdTakesTheUnits() throws Exception {
        for (String unit : units()) {
            assertThat(run("systemd-analyze", "verify", "--man=no", "/opt/kv/deploy/machine/" + unit)
                            .lines()
                            .filter(line -> line.contains("kv")))
                    .as(unit)
                    .isEmpty();
        }
    }

    @Test
    void cloudInitTakesTheTemplate() throws Exception {
        assertThat(run("cloud-init", "schema", "--config-file", "/opt/kv/deploy/machine/cloud-init.yaml"))
                .contains("Valid")
                .doesNotContain("exit code");
    }

    @Test
    void unitsScriptsAndTemplatesFindTheirFiles() throws Exception {
        Set<String> named = new TreeSet<>();
        List<Path> texts = new ArrayList<>();
        try (Stream<Path> all = Files.list(MACHINE)) {
            all.filter(Files::isRegularFile).forEach(texts::add);
        }
        for (String module : List.of("cluster-vmss", "control-plane")) {
            texts.add(
                    Home.current().path().resolve("terraform/modules/" + module + "/templates/cloud-init.yaml.tftpl"));
        }
        for (Path text : texts) {
            OF_THE_IMAGE
                    .matcher(Files.readString(text))
                    .results()
                    .map(MatchResult::group)
                    .forEach(named::add);
        }

        assertThat(named)
                .contains("/opt/kv/kv", "/opt/kv/deploy/machine/kv-disk")
                .allSatisfy(
                        file -> assertThat(root().resolve(file.substring(1))).exists());
    }

    @Test
    void programsThatUnitsAndScriptsCallAreInstalled() throws Exception {
        for (String program :
                List.of("numactl", "ip", "sysctl", "mkfs.xfs", "blkid", "chattr", "chronyd", "prometheus")) {
            assertThat(run("sh", "-c", "command -v " + program)).as(program).doesNotContain("exit code");
        }
    }

    @Test
    void nothingOfThePackagesStartsThatNobodyAskedFor() throws Exception {
        assertThat(run("systemctl", "is-enabled", "prometheus.service", "apt-daily.timer", "apt-daily-upgrade.timer")
                        .lines())
                .startsWith("masked", "masked", "masked");
        assertThat(run("systemctl", "is-enabled", "chrony.service", "cloud-init.service")
                        .lines())
                .containsExactly("enabled", "enabled");
    }

    @Test
    void otherVerbsSayThatAMachineHasThemNot() throws Exception {
        assertThat(run("/opt/kv/kv", "demo"))
                .contains("kv: a machine has the verbs admin, control-plane, node and top alone");
    }

    @Test
    void dataPlanesServeAsTheirUnitStartsThem() throws Exception {
        int port = FreePorts.row(1, 0, 1_000);
        int health = FreePorts.row(1);
        String hash =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(KEY.getBytes(US_ASCII)));
        Files.writeString(root().resolve("etc/accounts.json"), """
                {"tenants": [{"name": "t", "keys": [{"id": "0a1b2c3d", "sha256": "%s"}],
                  "accounts": [{"resourceName": "demo", "storage": {"type": "filesystem", "path": "/tmp/blocks"}}]}]}
                """.formatted(hash));
        String flags = "--accounts /etc/accounts.json --plaintext --host 127.0.0.1 --port " + port;
        Path log = folder.resolve("node.log");
        Process process = start(
                command("kv-node.service")
                        .replace("--health-port 9084", "--health-port " + health)
                        .replace("/run/kv/", "/tmp/"),
                Map.of("KV_NODE_FLAGS", flags, "KVSTORE_MEMORY_TIER_SIZE", "64M"),
                log);
        try {
            awaitReady(process, health, log);

            TestPrompt prompt = TestPrompt.unique(2);
            try (KvClient client = KvClient.builder()
                    .endpoints("127.0.0.1:" + port)
                    .apiKey(KEY)
                    .resource("demo")
                    .build()) {
                client.write(prompt.partition(), prompt.block(0, TestPrompt.bytes(1_200_000, 1)));
                assertThat(client.lookup(prompt.partition(), prompt.chain()).cachedBlocks())
                        .isEqualTo(1);
            }
            assertThat(log).content().doesNotContain("\tat ");
        } finally {
            Container.kill(process);
        }
    }

    @Test
    void aControlPlaneServesAsItsUnitStartsIt() throws Exception {
        int port = FreePorts.row(3);
        assertThat(GoTool.run(folder, Map.of(), List.of("chmod", "755", folder.toString())))
                .isEmpty();
        Path log = folder.resolve("control-plane.log");
        try (Postgres _ = Postgres.start(Files.createDirectories(folder.resolve("postgresql")), List.of(), port + 2)) {
            String flags = "--storage-endpoints=https://*.blob.core.windows.net --http-port=" + port + " --port="
                    + (port + 1) + " --jdbc-url=jdbc:postgresql://127.0.0.1:" + (port + 2) + "/postgres";
            Process process = start(
                    command("kv-control-plane.service"),
                    Map.of(
                            "KV_CONTROL_PLANE_FLAGS",
                            flags,
                            "KVSTORE_DB_USER",
                            Postgres.USER,
                            "KVSTORE_DB_PASSWORD",
                            Postgres.PASSWORD,
                            "KVSTORE_ADMIN_TOKEN",
                            TOKEN),
                    log);
            try {
                awaitReady(process, port, log);

                Path token = Files.writeString(folder.resolve("admin-token"), TOKEN);
                Kv.KvResult result = Admin.run("http://127.0.0.1:" + port, token, "put", "region", "eu-1");
                assertThat(result.exitCode()).as(result.err()).isZero();
                assertThat(log).content().doesNotContain("\tat ");
            } finally {
                Container.kill(process);
            }
        }
    }

    private static Path root() {
        return folder.resolve("root");
    }

    private static List<String> units() throws IOException {
        try (Stream<Path> all = Files.list(MACHINE)) {
            return all.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".service"))
                    .sorted()
                    .toList();
        }
    }

    /** The command of a unit. A shell expands its variables as systemd does. */
    private static String command(String unit) throws IOException {
        Matcher start = START.matcher(Files.readString(MACHINE.resolve(unit)));
        assertThat(start.find()).isTrue();
        return start.group(1);
    }

    private static String release() throws IOException {
        Path file = Path.of("/etc/os-release");
        assumeTrue(Files.exists(file), "missing: /etc/os-release, which says what debootstrap is to make");
        Properties release = new Properties();
        try (var in = Files.newInputStream(file)) {
            release.load(in);
        }
        String name = release.getProperty("VERSION_CODENAME", "");
        assumeTrue(!name.isEmpty(), "missing: a Debian or Ubuntu, whose release debootstrap makes again");
        return name;
    }

    private static List<String> within(List<String> command) {
        List<String> whole = new ArrayList<>(List.of("unshare", "--mount", "--pid", "--fork", "--kill-child"));
        whole.addAll(List.of("bash", "-c", WITHIN, "machine", root().toString()));
        whole.addAll(command);
        return whole;
    }

    private static String run(String... command) throws Exception {
        return GoTool.run(folder, Map.of(), within(List.of(command)));
    }

    /** Starts a command as the user of the units, with these variables alone. */
    private static Process start(String command, Map<String, String> environment, Path log) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(within(List.of(
                        "setpriv", "--reuid=kv", "--regid=kv", "--clear-groups", "sh", "-c", "exec " + command)))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        Map<String, String> all = new HashMap<>(environment);
        all.put("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
        builder.environment().clear();
        builder.environment().putAll(all);
        Process process = builder.start();
        process.getOutputStream().close();
        return process;
    }

    private static void awaitReady(Process process, int port, Path log) throws Exception {
        Readiness ready = Readiness.http(URI.create("http://127.0.0.1:" + port + "/q/health/ready"));
        await().atMost(Duration.ofMinutes(2)).until(() -> ready.isReady() || !process.isAlive());
        assertThat(process.isAlive()).as(Files.readString(log)).isTrue();
    }
}
