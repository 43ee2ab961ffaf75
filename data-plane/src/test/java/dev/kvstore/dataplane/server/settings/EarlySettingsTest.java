package dev.kvstore.dataplane.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.kvstore.dataplane.server.ProcessMemory;
import dev.kvstore.settings.DeclaredSettings;
import dev.kvstore.settings.SettingRange;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class EarlySettingsTest {
    private static final long MIB = 1 << 20;

    @Test
    void sizesAndTimesHaveUnits() {
        DataPlaneSettings settings =
                read(Map.of("kvstore.memory-tier-size", "3M", "kvstore.client-stall-timeout", "4s"));

        assertThat(settings.memoryTierSize().asLongValue()).isEqualTo(3 * MIB);
        assertThat(settings.clientStallTimeout()).isEqualTo(Duration.ofSeconds(4));
    }

    @Test
    void everySettingHasTheDefaultThatTheHandbookStates() {
        DataPlaneSettings settings = read(Map.of());

        assertThat(settings.memoryTierSize().asLongValue()).isEqualTo(1024 * MIB);
        assertThat(settings.diskTierSize().asLongValue()).isZero();
        assertThat(settings.diskTierPath()).isEmpty();
        assertThat(settings.transferMemory().asLongValue()).isEqualTo(1024 * MIB);
        assertThat(settings.inboundMemory().asLongValue()).isEqualTo(512 * MIB);
        assertThat(settings.unreadResponseMemory().asLongValue()).isEqualTo(256 * MIB);
        assertThat(settings.streamPrefetchMemory().asLongValue()).isEqualTo(128 * MIB);
        assertThat(settings.memoryWaitTimeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(settings.clientStallTimeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(settings.maxVerifiedBlocks()).isEqualTo(500_000);
        assertThat(settings.flowControlWindow().asLongValue()).isEqualTo(64 * MIB);
        assertThat(settings.maxCallsPerConnection()).isEqualTo(200);
        assertThat(settings.maxStorageConnections()).isEqualTo(100);
        assertThat(settings.dnsTtl()).isEqualTo(Duration.ofMinutes(5));
        assertThat(settings.keepaliveInterval()).isEqualTo(Duration.ofSeconds(10));
        assertThat(settings.proxyProtocolFrom().have(new InetSocketAddress("10.0.0.1", 1)))
                .isFalse();
        assertThat(settings.tlsMinVersion()).isEqualTo("1.3");
        assertThat(settings.tlsReloadInterval()).isEqualTo(Duration.ofSeconds(10));
        assertThat(settings.addedStorageLatency()).isEmpty();
        assertThat(settings.addedRegionLatency()).isZero();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            memory-tier-size       | lots  | cannot be "lots"; give a size such as 512M
            memory-tier-size       | -1    | cannot be "-1"; give a size such as 512M
            memory-tier-size       | ''    | must not be empty; give a size such as 512M
            client-stall-timeout   | soon  | cannot be "soon"; give a time such as 30s
            max-verified-blocks    | 1e6   | cannot be "1e6"; give a number
            memory-tier-size       | 9E    | must be 0 to 1P, not 9E
            transfer-memory        | 0     | must be 130M to 1P, not 0
            transfer-memory        | 129M  | must be 130M to 1P, not 129M
            inbound-memory         | 1M    | must be 65M to 1P, not 1M
            memory-wait-timeout    | 0s    | must be 1ms to 1d, not 0s
            client-stall-timeout   | -5s   | must be 1s to 1d, not -5s
            max-verified-blocks    | -1    | must be 0 to 1000000000, not -1
            flow-control-window    | 0     | must be 64K to 2047M, not 0
            flow-control-window    | 4G    | must be 64K to 2047M, not 4G
            max-calls-per-connection | 0     | must be 1 to 1000000, not 0
            keepalive-interval     | 0s    | must be 1s to 1d, not 0s
            tls-min-version        | 1.1   | cannot be "1.1"; give 1.2 or 1.3
            added-storage-latency  | 20ms  | cannot be "20ms"; give one or both, as in get=20ms,put=40ms
            added-storage-latency  | get=1ms,get=2ms | cannot be "get=1ms,get=2ms"; give one or both, as in get=20ms,put=40ms
            added-storage-latency  | put=-1s | cannot be "put=-1s"; give one or both, as in get=20ms,put=40ms
            added-storage-latency  | get=  | cannot be "get="; give one or both, as in get=20ms,put=40ms
            added-storage-latency  | get=2m | must be get=0s,put=0s to get=1m,put=1m, not get=2m
            added-region-latency   | 2m   | must be 0ms to 1m, not 2m
            proxy-protocol-from    | lb.example.com | cannot be "lb.example.com"; give none, or IP addresses and networks, as in 10.0.9.0/24,fd00:9::/64
            proxy-protocol-from    | 10.0.0.0/33 | cannot be "10.0.0.0/33"; give none, or IP addresses and networks, as in 10.0.9.0/24,fd00:9::/64
            proxy-protocol-from    | 10.0.0.1,, | cannot be "10.0.0.1,,"; give none, or IP addresses and networks, as in 10.0.9.0/24,fd00:9::/64
            proxy-protocol-from    | *    | cannot be "*"; give none, or IP addresses and networks, as in 10.0.9.0/24,fd00:9::/64
            storage-proxy          | http://proxy.internal:3128 | cannot be "http://proxy.internal:3128"; give HOST:PORT without a scheme, a user or a path, as in proxy.internal:3128
            storage-proxy          | proxy.internal | cannot be "proxy.internal"; give HOST:PORT without a scheme, a user or a path, as in proxy.internal:3128
            storage-proxy          | proxy.internal:65536 | cannot be "proxy.internal:65536"; give HOST:PORT without a scheme, a user or a path, as in proxy.internal:3128
            storage-proxy          | user@proxy:1 | cannot be "user@proxy:1"; give HOST:PORT without a scheme, a user or a path, as in proxy.internal:3128
            tls-reload-interval    | 0s    | must be 1s to 1d, not 0s
            max-storage-connections | 0     | must be 1 to 10000, not 0
            dns-ttl                | 0s    | must be 1s to 1d, not 0s
            """)
    void aValueThatCannotBeIsNamedWithItsSettingAndWhatCan(String name, String value, String flaw) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EarlySettings.check(sources(Map.of("kvstore." + name, value))))
                .withMessage("kvstore." + name + ": " + flaw);
    }

    @ParameterizedTest
    @CsvSource({
        "memory-tier-size, 0",
        "storage-proxy, proxy.internal:3128",
        "storage-proxy, '[fd00::1]:65535'",
        "transfer-memory, 130M",
        "inbound-memory, 65M",
        "unread-response-memory, 16M",
        "stream-prefetch-memory, 0",
        "memory-wait-timeout, 1ms",
        "client-stall-timeout, 1s",
        "max-verified-blocks, 0",
        "presence-filter-memory, 1M",
        "flow-control-window, 64K",
        "flow-control-window, 2047M",
        "max-calls-per-connection, 1",
        "keepalive-interval, 1s",
        "keepalive-interval, 20",
        "tls-min-version, 1.2",
        "added-storage-latency, get=1m",
        "added-storage-latency, 'get=0s, put=1m'",
        "proxy-protocol-from, none",
        "proxy-protocol-from, '0.0.0.0/0, ::/0'",
        "proxy-protocol-from, '10.0.0.1,[fd00::1]'"
    })
    void theEndsOfARangeBelongToIt(String name, String value) {
        assertThatNoException().isThrownBy(() -> EarlySettings.check(sources(Map.of("kvstore." + name, value))));
    }

    @Test
    void everySettingThatIsNoFlagAndNoPathHasARange() {
        // Flags are checked by who reads them.
        List<String> paths = List.of(
                "control-plane-ca", "disk-tier-path", "peer-ca", "state-path", "tls-cert", "tls-client-ca", "tls-key");
        assertThat(Stream.concat(
                        DataPlaneSettings.DECLARED.ranges().stream().map(SettingRange::name),
                        paths.stream().map(DeclaredSettings.PREFIX::concat)))
                .containsExactlyInAnyOrderElementsOf(DataPlaneSettings.DECLARED.names());
    }

    @Test
    void allFlawsAreToldAtOnce() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EarlySettings.check(sources(Map.of(
                        "kvstore.memory-tier-size",
                        "lots",
                        "kvstore.client-stall-timeout",
                        "soon",
                        "kvstore.drma",
                        "1G"))))
                .withMessageContainingAll(
                        "kvstore.client-stall-timeout: ", "; kvstore.memory-tier-size: ", "; kvstore.drma: ");
    }

    @Test
    void anUnknownSettingIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EarlySettings.check(sources(Map.of("kvstore.drma", "1G"))))
                .withMessage("kvstore.drma: there is no such setting");
    }

    @Test
    void theEnvironmentIsReadAndItsNamesAreNoUnknownSettings() {
        DataPlaneSettings settings = EarlySettings.check(sources(Map.of())
                .withSources(new EnvConfigSource(Map.of("KVSTORE_UNREAD_RESPONSE_MEMORY", "70M"), 300)));

        assertThat(settings.unreadResponseMemory().asLongValue()).isEqualTo(70 * MIB);
    }

    @Test
    void anUnknownVariableIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EarlySettings.checkVariables(Map.of("KVSTORE_DRMA", "1G", "PATH", "/"), Set.of()))
                .withMessage("KVSTORE_DRMA: there is no such setting");
    }

    @Test
    void aVariableThatNamesAFlagPointsToIt() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EarlySettings.checkVariables(Map.of("KVSTORE_BLOB_DNS_SUFFIX", ".x"), Set.of()))
                .withMessage("KVSTORE_BLOB_DNS_SUFFIX: give --blob-dns-suffix instead");
    }

    @Test
    void variablesOfSettingsAndOfCredentialsAreKnown() {
        assertThatNoException()
                .isThrownBy(() -> EarlySettings.checkVariables(
                        Stream.of(
                                        "KVSTORE_MEMORY_TIER_SIZE",
                                        "KVSTORE_TLS_CLIENT_CA",
                                        "KVSTORE_UNREAD_RESPONSE_MEMORY",
                                        "KVSTORE_DISK_TIER_PATH",
                                        "KVSTORE_STATE_PATH",
                                        "KVSTORE_CONTROL_PLANE_CA",
                                        "KVSTORE_JOIN_TOKEN",
                                        "kvstore_client_stall_timeout",
                                        "KVSTORE_DRAM",
                                        "KVSTORE_SECRET",
                                        "KV_HOME")
                                .collect(Collectors.toMap(Function.identity(), _ -> "value")),
                        Set.of("KVSTORE_SECRET")));
    }

    @Test
    void variablesOfOtherProgramsAndOfKubernetesArePassedOver() {
        assertThatNoException()
                .isThrownBy(() -> EarlySettings.checkVariables(
                        Map.of(
                                "KVSTORE_OIDC_ISSUER", "https://login.example.net",
                                "KVSTORE_ADMIN_TOKEN", "kva_0123456789abcdef",
                                "KVSTORE_CONTROL_PLANE_PORT", "tcp://10.0.0.17:8080"),
                        Set.of()));
    }

    @Test
    void memoryThatIsNotThereIsNotPromised() {
        DataPlaneSettings settings = read(Map.of()); // 2816 MiB

        assertThat(new ProcessMemory(4096 * MIB, 1024 * MIB, 2816 * MIB).flaw(settings))
                .isNull();
        assertThat(new ProcessMemory(4096 * MIB, 1024 * MIB, 2815 * MIB).flaw(settings))
                .contains("kvstore.memory-tier-size", "2816 MiB", "-XX:MaxDirectMemorySize", "2815 MiB");
        assertThat(new ProcessMemory(3839 * MIB, 1024 * MIB, 4096 * MIB).flaw(settings))
                .contains("kvstore.memory-tier-size", "2816 MiB", "1024 MiB", "3839 MiB", "-Xmx");
    }

    @Test
    void dramIsWhatANodeLeavesBesideTheHeapTheOtherSettingsAndAnEighth() {
        DataPlaneSettings settings = read(Map.of("kvstore.memory-tier-size", "7M")); // the others: 1792 MiB

        assertThat(new ProcessMemory(256 * 1024 * MIB, 16 * 1024 * MIB, 1L << 40)
                        .within(64 * 1024 * MIB)
                        .memoryTierBytes(settings))
                .isEqualTo((64 - 8 - 16) * 1024 * MIB - 1792 * MIB);
    }

    @Test
    void dramIsNoMoreThanTheJvmHandsOut() {
        assertThat(new ProcessMemory(65_536 * MIB, 1024 * MIB, 4096 * MIB).memoryTierBytes(read(Map.of())))
                .isEqualTo((4096 - 1792) * MIB);
    }

    @Test
    void aNodeThatIsTooSmallLeavesNoDramAndIsRefused() {
        ProcessMemory small = new ProcessMemory(65_536 * MIB, 512 * MIB, 1L << 40).within(2048 * MIB);

        assertThat(small.memoryTierBytes(read(Map.of()))).isZero();
        assertThat(small.flaw(read(Map.of("kvstore.memory-tier-size", "0"))))
                .contains("1792 MiB", "512 MiB", "2048 MiB");
    }

    @Test
    void knowsWhetherASettingWasGiven() {
        assertThat(EarlySettings.isGiven(sources(Map.of("kvstore.memory-tier-size", "1G")), "kvstore.memory-tier-size"))
                .isTrue();
        assertThat(EarlySettings.isGiven(sources(Map.of()), "kvstore.memory-tier-size"))
                .isFalse();
    }

    private static DataPlaneSettings read(Map<String, String> settings) {
        return EarlySettings.read(sources(settings));
    }

    private static SmallRyeConfigBuilder sources(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("kvstore.accounts", "accounts.json");
        all.put("kvstore.node-name", "test");
        return new SmallRyeConfigBuilder().withSources(new PropertiesConfigSource(all, "test", 100));
    }
}
