package dev.kvstore.accounts.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kvstore.admin.problem.ProblemException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The endpoints that may be registered, and the form in which an endpoint is kept. */
final class EndpointAllowListTest {
    private static final String PUBLIC = ".blob.core.windows.net";

    private final EndpointAllowList azure = new EndpointAllowList(Optional.empty(), PUBLIC);
    private final EndpointAllowList local = new EndpointAllowList(
            Optional.of(List.of("http://127.0.0.1:*/devstoreaccount1", "file:///data/*")), PUBLIC);

    private static void refuses(EndpointAllowList endpoints, String text, String reason) {
        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(() -> endpoints.allowed("endpoint", text))
                .satisfies(e -> assertThat(e.problem().toString()).contains("endpoint", reason));
    }

    @ParameterizedTest
    @CsvSource({
        "https://kv.blob.core.windows.net, https://kv.blob.core.windows.net",
        "HTTPS://KV.Blob.Core.Windows.Net/, https://kv.blob.core.windows.net"
    })
    void aUrlIsKeptInLowerCaseWithoutALastSlash(String text, String kept) {
        assertThat(azure.allowed("endpoint", text)).isEqualTo(kept);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://evil.example.com",
                "http://kv.blob.core.windows.net",
                "https://kv.blob.core.windows.net.evil.example.com",
                "https://evil.example.com/.blob.core.windows.net",
                "https://kv.blob.core.windows.net:8443",
                "https://kv.blob.core.windows.net/path",
                "file:///data/blocks"
            })
    void anEndpointThatNoPatternAllowsIsRefusedWithThePatterns(String text) {
        refuses(azure, text, "https://*.blob.core.windows.net");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://user:secret@kv.blob.core.windows.net",
                "https://kv.blob.core.windows.net?sig=secret",
                "https://kv.blob.core.windows.net#part",
                "https:///no-host",
                "ftp://kv.blob.core.windows.net"
            })
    void whatIsMoreThanAHostAPortAndAPathIsRefused(String text) {
        refuses(azure, text, "http or https with a host");
    }

    @Test
    void withoutPatternsTheStorageAccountsOfTheSuffixsCloudAreAllowed() {
        EndpointAllowList china = new EndpointAllowList(Optional.empty(), ".blob.core.chinacloudapi.cn");

        assertThat(china.allowed("endpoint", china.of("kv"))).isEqualTo("https://kv.blob.core.chinacloudapi.cn");
        refuses(china, azure.of("kv"), "https://*.blob.core.chinacloudapi.cn");
    }

    @Test
    void aNameThatMakesNoHostIsRefused() {
        refuses(azure, azure.of("k_v"), "in whose name is no _");
    }

    @Test
    void aSpaceIsRefusedWithTheWayOut() {
        refuses(local, "file:///data/a b", "%20");
    }

    @Test
    void aPatternOfAPortAllowsAnyPortAndNoOtherPath() {
        assertThat(local.allowed("endpoint", "http://127.0.0.1:10000/devstoreaccount1"))
                .isEqualTo("http://127.0.0.1:10000/devstoreaccount1");
        refuses(local, "http://127.0.0.1:10000/other", "must match");
    }

    @ParameterizedTest
    @CsvSource({
        "file:///data/blocks, file:///data/blocks, /data/blocks",
        "file:///data/blocks/, file:///data/blocks, /data/blocks",
        "file:///data/x/../blocks, file:///data/blocks, /data/blocks",
        "file:///data/a%20b, file:///data/a%20b, /data/a b"
    })
    void aFolderIsKeptAsItsAbsolutePath(String text, String kept, String path) {
        assertThat(local.allowed("endpoint", text)).isEqualTo(kept);
        assertThat(AccountStorage.of(new StorageRow(kept, "", "", false)))
                .isInstanceOfSatisfying(
                        AccountStorage.Filesystem.class,
                        folder -> assertThat(folder.path()).isEqualTo(path));
    }

    @ParameterizedTest
    @ValueSource(strings = {"file:///data/../etc", "file:///etc/passwd"})
    void aFolderOutsideOfThePatternIsRefused(String text) {
        refuses(local, text, "must match");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "file://host/data/x",
                "file:///",
                "file:relative",
                "file:///data/x?y",
                "file:///data/%00",
                "file:///data/%2e%2e/%2e%2e/etc",
                "file:///../../etc"
            })
    void aFolderThatIsNoPlainAbsolutePathIsRefused(String text) {
        refuses(local, text, "file:///");
    }
}
