package dev.kvstore.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvstore.client.internal.ClientOptions;
import dev.kvstore.client.internal.EndpointAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class KvClientBuilderTest {
    @TestFactory
    Stream<DynamicTest> anOptionThatBreaksItsRuleIsNamed() {
        Map<String, UnaryOperator<KvClientBuilder>> flaws = Map.ofEntries(
                Map.entry("endpoints: name at least one", b -> b.endpoints()),
                Map.entry("endpoints: \"nowhere\" is not host:port", b -> b.endpoints("nowhere")),
                Map.entry("endpoints: \"a:0\" is not host:port", b -> b.endpoints("a:0")),
                Map.entry("endpoints: \"u@a:1\" is not host:port", b -> b.endpoints("u@a:1")),
                Map.entry("endpoints: name each only once", b -> b.endpoints("a:1", "a:1")),
                Map.entry("controlPlane: choose either", b -> b.controlPlane("a:1")),
                Map.entry(
                        "controlPlane: \"a\" is not host:port",
                        b -> b.endpoints().controlPlane("a")),
                Map.entry("controlPlane: name each replica", b -> b.endpoints().controlPlane("a:1", "a:1")),
                Map.entry("region: is for the controlPlane", b -> b.region("west")),
                Map.entry("serverStallTimeout: must be zero", b -> b.serverStallTimeout(Duration.ofMillis(399))),
                Map.entry("apiKey:", b -> b.apiKey("")),
                Map.entry("apiKey: set the key", b -> b.apiKey(null)),
                Map.entry("api key:", b -> b.apiKey("with space")),
                Map.entry("resource:", b -> b.resource("a..b")),
                Map.entry("deadline:", b -> b.deadline(Duration.ZERO)),
                Map.entry("connectionsPerEndpoint:", b -> b.connectionsPerEndpoint(0)),
                Map.entry("partBytes:", b -> b.partBytes(4095)),
                Map.entry("readWindowBytes:", b -> b.readWindowBytes(100_000)),
                Map.entry("maxReadMemoryBytes:", b -> b.partBytes(4096).maxReadMemoryBytes(16_383)),
                Map.entry("writeWindowBytes:", b -> b.writeWindowBytes(0)),
                Map.entry("maxAsyncCalls:", b -> b.maxAsyncCalls(0)),
                Map.entry("tls:", b -> b.tls().plaintextAnywhere()),
                Map.entry("tls: choose", b -> b.trust(Path.of("ca.pem")).plaintextAnywhere()));
        return flaws.entrySet().stream()
                .map(flaw -> DynamicTest.dynamicTest(
                        flaw.getKey(),
                        () -> assertThatThrownBy(
                                        () -> flaw.getValue().apply(complete()).options())
                                .isInstanceOf(IllegalArgumentException.class)
                                .hasMessageStartingWith(flaw.getKey())));
    }

    @Test
    void aKeyIsTakenWithoutTheLineEndOfItsFile() {
        assertThat(complete().apiKey(" kv_id_secret\r\n").options().apiKey()).isEqualTo("kv_id_secret");
    }

    @Test
    @SuppressWarnings("removal")
    void oldNamesOfOptionsSetTheNewOnes() {
        ClientOptions options =
                complete().stallTimeout(Duration.ofSeconds(7)).asyncCalls(5).options();

        assertThat(options.serverStallTimeout()).isEqualTo(Duration.ofSeconds(7));
        assertThat(options.maxAsyncCalls()).isEqualTo(5);
    }

    @Test
    void certificatesThatCannotBeReadAreNamed() {
        assertThatThrownBy(() -> complete().trust(Path.of("no-such.pem")).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("trust: no-such.pem does not exist");
        assertThatThrownBy(() -> complete()
                        .clientCertificate(Path.of("no-such.pem"), Path.of("no-such.key"))
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("clientCertificate: no-such.pem does not exist");
    }

    @Test
    void theKeyIsNotPrinted() {
        assertThat(complete().options().toString()).doesNotContain("kv_secret");
    }

    @Test
    void onlyThisMachineIsLoopback() {
        assertThat(Stream.of("127.0.0.1:1", "localhost:1", "[::1]:1"))
                .allMatch(a -> EndpointAddress.parse(a).loopback());
        assertThat(Stream.of("10.0.0.1:1", "127.0.0.1.example.com:1", "[::2]:1"))
                .noneMatch(a -> EndpointAddress.parse(a).loopback());
    }

    private static KvClientBuilder complete() {
        return KvClient.builder()
                .endpoints("127.0.0.1:8085")
                .apiKey("kv_secret")
                .resource("demo");
    }
}
