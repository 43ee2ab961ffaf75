package dev.kvstore.dataplane.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kvstore.settings.BadFlag;
import dev.kvstore.settings.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class FlagsTest {
    @TempDir
    private Path directory;

    private final List<String> warnings = new ArrayList<>();

    private Path accounts;

    @BeforeEach
    void writeAccounts() throws IOException {
        accounts = Files.writeString(directory.resolve("accounts.json"), "{}");
    }

    @Test
    void theDefaultsAreThoseTheServiceAlwaysHad() throws Exception {
        assertThat(settings("--plaintext"))
                .containsEntry("quarkus.grpc.server.port", "8085")
                .containsEntry("quarkus.grpc.server.host", "0.0.0.0")
                .containsEntry("quarkus.http.port", "9085")
                .containsEntry("kvstore.blob-dns-suffix", ".blob.core.windows.net")
                .containsEntry("kvstore.transport", "netty")
                .containsEntry("kvstore.local-addresses", "")
                .containsEntry("quarkus.log.level", "ERROR");
    }

    @Test
    void theLogIsTextUnlessJsonIsAskedFor() throws Exception {
        assertThat(settings("--plaintext")).containsEntry("quarkus.log.console.json.enabled", "false");
        assertThat(settings("--plaintext", "--log-format", "json"))
                .containsEntry("quarkus.log.console.json.enabled", "true");
    }

    @Test
    void theHttpPortFollowsTheGrpcPort() throws Exception {
        assertThat(settings("--host", "127.0.0.1", "--port", "8086")).containsEntry("quarkus.http.port", "9086");
    }

    @Test
    void threadsAreEventLoops() throws Exception {
        assertThat(settings("--host", "127.0.0.1", "--threads", "3"))
                .containsEntry("quarkus.grpc.server.instances", "3")
                .containsEntry("quarkus.vertx.event-loops-pool-size", "3");
    }

    @Test
    void connectionsToStorageLeaveFromAllAddressesOrThoseNamed() throws Exception {
        assertThat(settings("--plaintext", "--enable-multi-nic")).containsEntry("kvstore.local-addresses", "auto");
        assertThat(settings("--plaintext", "--enable-multi-nic=127.0.0.1,127.0.0.2"))
                .containsEntry("kvstore.local-addresses", "127.0.0.1,127.0.0.2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"libcurl", "winhttp"})
    void aTransportOfTheOriginalIsOursWithOneWarning(String original) throws Exception {
        assertThat(settings("--plaintext", "--transport", original, "--enable-multi-nic"))
                .containsEntry("kvstore.transport", "netty");
        assertThat(warnings)
                .containsExactly("--transport: " + original + " is not here, netty takes its place; give netty or jdk");
    }

    @Test
    void aSuffixBesideAControlPlaneBringsAWarning() throws Exception {
        parsed("--host", "127.0.0.1", "--control-plane", "a:1", "--blob-dns-suffix", ".blob.core.chinacloudapi.cn");

        assertThat(warnings).singleElement().asString().endsWith("give the flag to kv control-plane");
    }

    @Test
    void flagsThatAreTakenAsTheyAreBringNoWarning() throws Exception {
        settings("--plaintext", "--transport", "jdk", "--blob-dns-suffix", ".blob.core.chinacloudapi.cn");
        parsed("--host", "127.0.0.1", "--control-plane", "a:1");

        assertThat(warnings).isEmpty();
    }

    @Test
    void onlyOurClientLeavesFromSeveralAddresses() {
        assertThatExceptionOfType(BadFlag.class)
                .isThrownBy(() -> settings("--plaintext", "--transport", "jdk", "--enable-multi-nic"))
                .withMessageStartingWith("--enable-multi-nic: --transport jdk cannot do that");
    }

    @ParameterizedTest
    @CsvSource({
        "--transport, curl, '--transport: must be netty or jdk, not curl'",
        "--transport, '', '--transport: must be netty or jdk, not '",
        "--enable-multi-nic, 192.0.2.1, --enable-multi-nic: 192.0.2.1 is no address of this machine",
        "--enable-multi-nic, eth0, '--enable-multi-nic: \"eth0\" is no IP address'",
        "--port, 0, --port: must be 1 to 65535",
        "--port, 65536, --port: must be 1 to 65535",
        "--http-port, -1, --http-port: must be 1 to 65535",
        "--threads, 0, --threads: must be auto or 1 to 9999",
        "--threads, many, --threads: must be auto or 1 to 9999",
        "--numa-node, -1, '--numa-node: must be a number, not -1'",
        "--log-level, loud, '--log-level: must be error, warn, info, debug or trace'",
        "--log-format, xml, '--log-format: must be text or json, not xml'",
        "--host, no.such.host.invalid, --host: no.such.host.invalid is no address",
        "--host, '', --host: must not be empty",
        "--accounts, '', --accounts: must not be empty",
        "--blob-dns-suffix, '', --blob-dns-suffix: must not be empty",
        "--http-port, 8085, --http-port: must differ from --port",
        "--accounts, /nowhere/at/all.json, --accounts: /nowhere/at/all.json cannot be read"
    })
    void eachBadValueIsNamed(String flag, String value, String message) {
        List<String> args = new ArrayList<>(List.of("--host", "127.0.0.1"));
        args.removeIf(arg -> flag.equals("--host"));
        assertThatExceptionOfType(BadFlag.class)
                .isThrownBy(() -> {
                    args.add(flag);
                    args.add(value);
                    settings(args.toArray(String[]::new));
                })
                .withMessageStartingWith(message);
    }

    @Test
    void theNodeIsOneThatItWasBoundTo() throws Exception {
        assertThat(settings("--host", "127.0.0.1", "--numa-node", "1", "--numa-memory", "1000"))
                .containsEntry("kvstore.numa-node", "1");
        assertThat(settings("--host", "127.0.0.1")).doesNotContainKey("kvstore.numa-node");
        assertThatExceptionOfType(BadFlag.class)
                .isThrownBy(() -> settings("--host", "127.0.0.1", "--numa-node", "1"))
                .withMessageContaining("kv node --numa-node 1");
    }

    @Test
    void theVersionIsThatOfTheBuild() {
        assertThat(new Version().getVersion()).singleElement().asString().matches("KV Store \\d+\\.\\d+\\.\\d+.*");
    }

    @Test
    void healthAndMetricsAreForThisMachineAloneUnlessAskedTo() throws Exception {
        assertThat(settings("--plaintext")).containsEntry("quarkus.http.host", "127.0.0.1");
        assertThat(settings("--host", "127.0.0.2")).containsEntry("quarkus.http.host", "127.0.0.2");
        assertThat(settings("--plaintext", "--http-host", "0.0.0.0"))
                .containsEntry("quarkus.grpc.server.host", "0.0.0.0")
                .containsEntry("quarkus.http.host", "0.0.0.0");
        assertThatExceptionOfType(BadFlag.class)
                .isThrownBy(() -> settings("--plaintext", "--http-host", ""))
                .withMessage("--http-host: must not be empty");
    }

    @Test
    void keysDoNotTravelInClearUnlessAskedTo() {
        assertThatExceptionOfType(BadFlag.class)
                .isThrownBy(() -> settings("--host", "0.0.0.0"))
                .withMessageContaining("--plaintext");
    }

    @Test
    void withTlsEveryAddressWillDo() throws Exception {
        assertThat(settings("--tls-cert", "server.pem", "--tls-key", "server.key", "--tls-client-ca", "ca.pem"))
                .containsEntry("quarkus.grpc.server.host", "0.0.0.0")
                .containsEntry("kvstore.tls-cert", "server.pem")
                .containsEntry("kvstore.tls-key", "server.key")
                .containsEntry("kvstore.tls-client-ca", "ca.pem");
    }

    @Test
    void withoutTlsNoFileIsSet() throws Exception {
        assertThat(settings("--plaintext")).doesNotContainKeys("kvstore.tls-cert", "kvstore.tls-key");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --tls-cert a.pem                           | --tls-key: is missing; give the key
            --tls-key a.key                            | --tls-cert: is missing; give the certificate
            --tls-client-ca ca.pem                     | --tls-client-ca: clients show certificates only over TLS; add
            --tls-cert a.pem --tls-key a.key --plaintext | --plaintext: contradicts --tls-cert
            """)
    void flagsOfTlsThatDoNotGoTogetherAreNamed(String flags, String message) {
        assertThatExceptionOfType(BadFlag.class)
                .isThrownBy(() -> settings((flags + " --host 127.0.0.1").split(" ")))
                .withMessageStartingWith(message);
    }

    @Test
    void theControlPlaneTakesThePlaceOfTheAccounts() throws Exception {
        assertThat(parsed("--host", "127.0.0.1", "--control-plane", "a:9090,[::1]:9091", "--region", "west-2"))
                .containsEntry("kvstore.control-plane", "a:9090,[::1]:9091")
                .containsEntry("kvstore.region", "west-2")
                .doesNotContainKey("kvstore.accounts");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''                                     | --accounts: is missing; give the tenants of this machine in a file
            --accounts . --control-plane a:1       | --accounts: contradicts --control-plane; leave one of them out
            --control-plane a                      | --control-plane: must be HOST:PORT, or several of them joined by ','
            --control-plane a:0                    | --control-plane: must be HOST:PORT
            --control-plane a:1,                   | --control-plane: must be HOST:PORT
            --accounts . --join-token-file t       | --join-token-file: is for the control plane; add --control-plane
            --control-plane a:1 --region West!     | --region: must be 1 to 63 of a-z, 0-9 and -, not "West!"
            """)
    void flagsOfTheControlPlaneThatDoNotGoTogetherAreNamed(String flags, String message) {
        assertThatExceptionOfType(Exception.class)
                .isThrownBy(() -> parsed((flags + " --host 127.0.0.1").strip().split(" ")))
                .withMessageContaining(message);
    }

    private Map<String, String> parsed(String... args) throws BadFlag {
        Flags flags = new Flags();
        new CommandLine(flags).parseArgs(args);
        return flags.settings(warnings::add);
    }

    private Map<String, String> settings(String... args) throws BadFlag {
        Flags flags = new Flags();
        List<String> all = new ArrayList<>(List.of(args));
        if (!all.contains("--accounts")) {
            all.addAll(List.of("--accounts", accounts.toString()));
        }
        new CommandLine(flags).parseArgs(all.toArray(String[]::new));
        return flags.settings(warnings::add);
    }
}
