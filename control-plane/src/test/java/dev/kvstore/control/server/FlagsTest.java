package dev.kvstore.control.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kvstore.settings.BadFlag;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class FlagsTest {
    private static Map<String, String> settings(String... more) throws BadFlag {
        Flags flags = new Flags();
        List<String> arguments = new ArrayList<>(List.of("--jdbc-url", "jdbc:postgresql://127.0.0.1/kvstore"));
        arguments.addAll(List.of(more));
        new CommandLine(flags).parseArgs(arguments.toArray(String[]::new));
        return flags.settings();
    }

    @Test
    void storageIsThatOfTheSuffixsCloudUnlessItIsNamed() throws Exception {
        assertThat(settings("--blob-dns-suffix", ".blob.core.chinacloudapi.cn"))
                .containsEntry("kvstore.blob-dns-suffix", ".blob.core.chinacloudapi.cn")
                .doesNotContainKey("kvstore.storage-endpoints");
        assertThat(settings("--storage-endpoints", "file:///*"))
                .containsEntry("kvstore.blob-dns-suffix", ".blob.core.windows.net")
                .containsEntry("kvstore.storage-endpoints", "file:///*");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "blob.core.windows.net", ".", ".blob.core.windows.net/", ".*", ".blob core"})
    void aSuffixThatIsNoEndOfAHostsNameIsNamed(String suffix) {
        assertThatExceptionOfType(BadFlag.class)
                .isThrownBy(() -> settings("--blob-dns-suffix", suffix))
                .withMessage("--blob-dns-suffix: must be the end of a host name, as in .blob.core.windows.net");
    }
}
