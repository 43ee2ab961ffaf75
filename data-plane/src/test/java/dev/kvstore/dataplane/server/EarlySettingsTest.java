package dev.kvstore.dataplane.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class EarlySettingsTest {
    private static final long MIB = 1 << 20;

    @Test
    void sizesAndTimesHaveUnits() {
        Settings settings = read(Map.of("kvstore.dram", "3M", "kvstore.stall", "4s"));

        assertThat(settings.dram().asLongValue()).isEqualTo(3 * MIB);
        assertThat(settings.stall()).isEqualTo(Duration.ofSeconds(4));
    }

    @Test
    void everySettingHasTheDefaultThatTheHandbookStates() {
        Settings settings = read(Map.of());

        assertThat(settings.dram().asLongValue()).isEqualTo(1024 * MIB);
        assertThat(settings.disk().asLongValue()).isZero();
        assertThat(settings.diskPath()).isEmpty();
        assertThat(settings.transfer().asLongValue()).isEqualTo(1024 * MIB);
        assertThat(settings.inbound().asLongValue()).isEqualTo(512 * MIB);
        assertThat(settings.unarySend().asLongValue()).isEqualTo(256 * MIB);
        assertThat(settings.streamPrefetch().asLongValue()).isEqualTo(128 * MIB);
        assertThat(settings.patience()).isEqualTo(Duration.ofSeconds(5));
        assertThat(settings.stall()).isEqualTo(Duration.ofSeconds(30));
        assertThat(settings.verifiedBlocks()).isEqualTo(500_000);
        assertThat(settings.window().asLongValue()).isEqualTo(64 * MIB);
        assertThat(settings.streamsPerConnection()).isEqualTo(200);
        assertThat(settings.storageConnections()).isEqualTo(100);
        assertThat(settings.dnsTtl()).isEqualTo(Duration.ofMinutes(5));
        assertThat(settings.keepalive()).isEqualTo(Duration.ofSeconds(10));
        assertThat(settings.tlsMinimum()).isEqualTo("1.3");
        assertThat(settings.tlsReload()).isEqualTo(Duration.ofSeconds(10));
        assertThat(settings.storageLatency()).isEmpty();
        assertThat(settings.regionLatency()).isZero();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            dram                   | lots  | cannot be "lots"; give a size such as 512M
            dram                   | -1    | cannot be "-1"; give a size such as 512M
            dram                   | ''    | must not be empty; give a size such as 512M
            stall                  | soon  | cannot be "soon"; give a time such as 30s
            verified-blocks        | 1e6   | cannot be "1e6"; give a number
            dram                   | 9E    | must be 0 to 1P, not 9E
            transfer               | 0     | must be 130M to 1P, not 0
            transfer               | 129M  | must be 130M to 1P, not 129M
            inbound                | 1M    | must be 65M to 1P, not 1M
            patience               | 0s    | must be 1ms to 1d, not 0s
            stall                  | -5s   | must be 1s to 1d, not -5s
            verified-blocks        | -1    | must be 0 to 1000000000, not -1
            window                 | 0     | must be 64K to 2047M, not 0
            window                 | 4G    | must be 64K to 2047M, not 4G
            streams-per-connection | 0     | must be 1 to 1000000, not 0
            keepalive              | 0s    | must be 1s to 1d, not 0s
            tls-minimum            | 1.1   | cannot be "1.1"; give 1.2 or 1.3
            storage-latency        | 20ms  | cannot be "20ms"; give one or both, as in get=20ms,put=40ms
            storage-latency        | get=1ms,get=2ms | cannot be "get=1ms,get=2ms"; give one or both, as in get=20ms,put=40ms
            storage-latency        | put=-1s | cannot be "put=-1s"; give one or both, as in get=20ms,put=40ms
            storage-latency        | get=  | cannot be "get="; give one or both, as in get=20ms,put=40ms
            storage-latency        | get=2m | must be get=0s,put=0s to get=1m,put=1m, not get=2m
            region-latency         | 2m   | must be 0ms to 1m, not 2m
            tls-reload             | 0s    | must be 1s to 1d, not 0s
            storage-connections    | 0     | must be 1 to 10000, not 0
            dns-ttl                | 0s    | must be 1s to 1d, not 0s
            """)
    void aValueThatCannotBeIsNamedWithItsSettingAndWhatCan(String name, String value, String flaw) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EarlySettings.check(sources(Map.of("kvstore." + name, value))))
                .withMessage("kvstore." + name + ": " + flaw);
    }

    @ParameterizedTest
    @CsvSource({
        "dram, 0",
        "transfer, 130M",
        "inbound, 65M",
        "unary-send, 16M",
        "stream-prefetch, 0",
        "patience, 1ms",
        "stall, 1s",
        "verified-blocks, 0",
        "presence, 1M",
        "window, 64K",
        "window, 2047M",
        "streams-per-connection, 1",
        "keepalive, 1s",
        "keepalive, 20",
        "tls-minimum, 1.2",
        "storage-latency, get=1m",
        "storage-latency, 'get=0s, put=1m'"
    })
    void theEndsOfARangeBelongToIt(String name, String value) {
        assertThatNoException().isThrownBy(() -> EarlySettings.check(sources(Map.of("kvstore." + name, value))));
    }

    @Test
    void everySettingThatIsNoFlagAndNoPathHasARange() {
        // Those of EarlySettings.FLAGS and FILES are checked by who reads them.
        assertThat(SettingRange.ALL)
                .extracting(SettingRange::name)
                .hasSize(Settings.class.getMethods().length - 16 - SettingRange.PATHS.size());
    }

    @Test
    void allFlawsAreToldAtOnce() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EarlySettings.check(
                        sources(Map.of("kvstore.dram", "lots", "kvstore.stall", "soon", "kvstore.drma", "1G"))))
                .withMessageContainingAll("kvstore.dram: ", "; kvstore.stall: ", "; kvstore.drma: ");
    }

    @Test
    void anUnknownSettingIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EarlySettings.check(sources(Map.of("kvstore.drma", "1G"))))
                .withMessage("kvstore.drma: there is no such setting");
    }

    @Test
    void theEnvironmentIsReadAndItsNamesAreNoUnknownSettings() {
        Settings settings = EarlySettings.check(
                sources(Map.of()).withSources(new EnvConfigSource(Map.of("KVSTORE_UNARY_SEND", "70M"), 300)));

        assertThat(settings.unarySend().asLongValue()).isEqualTo(70 * MIB);
    }

    @Test
    void anUnknownVariableIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EarlySettings.checkVariables(Set.of("KVSTORE_DRMA", "PATH"), Set.of()))
                .withMessage("KVSTORE_DRMA: there is no such setting");
    }

    @Test
    void aVariableThatNamesAFlagPointsToIt() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EarlySettings.checkVariables(Set.of("KVSTORE_BLOB_DNS_SUFFIX"), Set.of()))
                .withMessage("KVSTORE_BLOB_DNS_SUFFIX: give --blob-dns-suffix instead");
    }

    @Test
    void variablesOfSettingsAndOfCredentialsAreKnown() {
        assertThatNoException()
                .isThrownBy(() -> EarlySettings.checkVariables(
                        Set.of(
                                "KVSTORE_DRAM",
                                "KVSTORE_TLS_CLIENT_CA",
                                "KVSTORE_UNARY_SEND",
                                "KVSTORE_DISK_PATH",
                                "KVSTORE_STATE_PATH",
                                "KVSTORE_CONTROL_PLANE_CA",
                                "KVSTORE_JOIN_TOKEN",
                                "kvstore_stall",
                                "KVSTORE_SECRET",
                                "KV_HOME"),
                        Set.of("KVSTORE_SECRET")));
    }

    @Test
    void memoryThatIsNotThereIsNotPromised() {
        Settings settings = read(Map.of()); // 2816 MiB

        assertThat(new MachineMemory(4096 * MIB, 1024 * MIB, 2816 * MIB).flaw(settings))
                .isNull();
        assertThat(new MachineMemory(4096 * MIB, 1024 * MIB, 2815 * MIB).flaw(settings))
                .contains("kvstore.dram", "2816 MiB", "-XX:MaxDirectMemorySize", "2815 MiB");
        assertThat(new MachineMemory(3839 * MIB, 1024 * MIB, 4096 * MIB).flaw(settings))
                .contains("kvstore.dram", "2816 MiB", "1024 MiB", "3839 MiB", "-Xmx");
    }

    @Test
    void dramIsWhatANodeLeavesBesideTheHeapTheOtherSettingsAndAnEighth() {
        Settings settings = read(Map.of("kvstore.dram", "7M")); // the others: 1792 MiB

        assertThat(new MachineMemory(256 * 1024 * MIB, 16 * 1024 * MIB, 1L << 40)
                        .within(64 * 1024 * MIB)
                        .dramBytes(settings))
                .isEqualTo((64 - 8 - 16) * 1024 * MIB - 1792 * MIB);
    }

    @Test
    void dramIsNoMoreThanTheJvmHandsOut() {
        assertThat(new MachineMemory(65_536 * MIB, 1024 * MIB, 4096 * MIB).dramBytes(read(Map.of())))
                .isEqualTo((4096 - 1792) * MIB);
    }

    @Test
    void aNodeThatIsTooSmallLeavesNoDramAndIsRefused() {
        MachineMemory small = new MachineMemory(65_536 * MIB, 512 * MIB, 1L << 40).within(2048 * MIB);

        assertThat(small.dramBytes(read(Map.of()))).isZero();
        assertThat(small.flaw(read(Map.of("kvstore.dram", "0")))).contains("1792 MiB", "512 MiB", "2048 MiB");
    }

    @Test
    void knowsWhetherASettingWasGiven() {
        assertThat(EarlySettings.isGiven(sources(Map.of("kvstore.dram", "1G")), "kvstore.dram"))
                .isTrue();
        assertThat(EarlySettings.isGiven(sources(Map.of()), "kvstore.dram")).isFalse();
    }

    private static Settings read(Map<String, String> settings) {
        return EarlySettings.read(sources(settings));
    }

    private static SmallRyeConfigBuilder sources(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("kvstore.accounts", "accounts.json");
        all.put("kvstore.node-name", "test");
        return new SmallRyeConfigBuilder().withSources(new PropertiesConfigSource(all, "test", 100));
    }
}
