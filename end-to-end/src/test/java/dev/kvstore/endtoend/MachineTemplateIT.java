package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvstore.launcher.Home;
import dev.kvstore.testing.FreePorts;
import dev.kvstore.testing.Patience;
import dev.kvstore.testing.TestAuthority;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A machine that is started with the flags of deploy/machine/cloud-init.yaml, its placeholders filled, joins its
 * cluster. The Terraform module cluster-vmss gives its machines the same file ({@link CloudInitIT}).
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "CPUs are bound by taskset, which is Linux' own")
class MachineTemplateIT {
    private static final String CLUSTER = "machine-template";
    private static final Pattern FLAGS = Pattern.compile("KV_NODE_FLAGS=(.*)");

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    @Test
    void bothDataPlanesOfAMachineJoinUnderItsName() throws Exception {
        KvUp up = KvUp.shared();
        admin(up, "put", "cluster", CLUSTER, "region=local", "state=active");
        Files.writeString(folder.resolve("join-token"), joinToken(up));
        makeCertificate();
        int port = FreePorts.row(2, 0, 1_000);
        List<String> arguments = new ArrayList<>(List.of("node", "up"));
        arguments.addAll(flags(up));
        arguments.addAll(List.of("--port", "" + port, "--http-port", "" + (port + 1_000)));
        Map<String, String> environment = new HashMap<>(NumaTree.environment(folder.resolve("machine")));

        Process machine =
                Kv.start(folder, environment, arguments, folder.resolve("machine.out"), folder.resolve("machine.err"));
        try {
            String name = InetAddress.getLocalHost().getHostName().replaceAll("\\..*", "") + ".kv.test:";
            await().atMost(Patience.LIMIT).untilAsserted(() -> {
                assertThat(machine.isAlive())
                        .as(Files.readString(folder.resolve("machine.err")))
                        .isTrue();
                assertThat(admin(up, "get", "processes", "--cluster", CLUSTER)).contains(name + 8085, name + 8086);
            });
        } finally {
            List<ProcessHandle> children = machine.descendants().toList();
            machine.destroyForcibly();
            children.forEach(ProcessHandle::destroyForcibly);
        }
    }

    /** The flags of the template. The last of two flags with one name counts, so ports of the test's own may follow. */
    private List<String> flags(KvUp up) throws IOException {
        String template = Files.readString(Home.current().path().resolve("deploy/machine/cloud-init.yaml"));
        Matcher flags = FLAGS.matcher(template);
        assertThat(flags.find()).isTrue();
        String filled = flags.group(1)
                .replace("<host:9090>", up.controlPlane())
                .replace("<region>", "local")
                .replace("<cluster>", CLUSTER)
                .replace("<domain>", "kv.test")
                .replace("/run/kv-secrets", folder.toString());
        assertThat(filled)
                .doesNotContain("<")
                .contains(folder.resolve("tls.pem").toString());
        return List.of(filled.split(" "));
    }

    private static String joinToken(KvUp up) {
        Matcher token = Pattern.compile("kvj_\\S+").matcher(admin(up, "create", "join-token", "--cluster", CLUSTER));
        assertThat(token.find()).isTrue();
        return token.group();
    }

    private static String admin(KvUp up, String... words) {
        Kv.KvResult result = up.admin(words);
        assertThat(result.exitCode()).as(result.err()).isZero();
        return result.out();
    }

    private void makeCertificate() throws Exception {
        TestAuthority.openssl(List.of(
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-nodes",
                "-days",
                "1",
                "-subj",
                "/CN=kv",
                "-addext",
                "subjectAltName=DNS:*.kv.test",
                "-keyout",
                folder.resolve("tls.key").toString(),
                "-out",
                folder.resolve("tls.crt").toString()));
        // As a key vault has it: one file with both.
        Files.writeString(
                folder.resolve("tls.pem"),
                Files.readString(folder.resolve("tls.key")) + Files.readString(folder.resolve("tls.crt")));
    }
}
