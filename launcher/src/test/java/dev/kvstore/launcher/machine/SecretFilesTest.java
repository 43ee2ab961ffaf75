package dev.kvstore.launcher.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.kvstore.launcher.CommandLines;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Secrets of a key vault as files of this machine. */
class SecretFilesTest {
    @TempDir
    Path folder;

    private final List<String> said = new ArrayList<>();
    private VaultOfTests vault;
    private Path file;

    @BeforeEach
    void start() throws IOException {
        vault = VaultOfTests.start();
        file = folder.resolve("secrets/join-token");
        vault.put("join-token", "kvj_first", "text/plain");
    }

    @AfterEach
    void stop() {
        vault.close();
    }

    private SecretFiles files(Map<String, Path> files) {
        VaultClient client = new VaultClient(vault.address(), "", new AzureMetadata(vault.address()));
        return new SecretFiles(client::read, files, said::add);
    }

    @Test
    void aSecretIsAFileOfItsOwnerAlone() throws Exception {
        assertThat(files(Map.of("join-token", file)).refresh()).isTrue();

        assertThat(file).hasContent("kvj_first");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(said).containsExactly(file + " has the secret join-token of now");
    }

    @Test
    void theTokenIsAskedForTheVaultsOfItsCloudAlone() throws Exception {
        assertThat(files(Map.of("join-token", file)).refresh()).isTrue();

        assertThat(vault.askedForToken()).isEqualTo("api-version=2018-02-01&resource=https://vault.azure.net");
    }

    @Test
    void oneOfSeveralIdentitiesIsNamed() throws Exception {
        new VaultClient(vault.address(), "id-2", new AzureMetadata(vault.address())).read("join-token");

        assertThat(vault.askedForToken()).endsWith("&client_id=id-2");
    }

    @Test
    void aTokenForAnotherServiceIsAFileToo() throws Exception {
        Path token = folder.resolve("tokens/monitor");
        int code = new CommandLine(new SecretsCommand())
                .execute(
                        "--vault=" + vault.address(),
                        "--metadata=" + vault.address(),
                        "--file=join-token=" + file,
                        "--token=https://monitor.azure.com=" + token,
                        "--once");

        assertThat(code).isZero();
        assertThat(token).hasContent("a-token");
        assertThat(vault.askedForToken()).isEqualTo("api-version=2018-02-01&resource=https://monitor.azure.com");
    }

    @Test
    void aRenewedSecretReplacesTheFile() throws Exception {
        SecretFiles files = files(Map.of("join-token", file));
        files.refresh();
        vault.put("join-token", "kvj_second", "text/plain");

        assertThat(files.refresh()).isTrue();

        assertThat(file).hasContent("kvj_second");
        assertThat(said).hasSize(2);
    }

    @Test
    void aSecretThatIsTheSameIsNotWrittenAgain() throws Exception {
        SecretFiles files = files(Map.of("join-token", file));
        files.refresh();
        Files.writeString(file, "as somebody else left it");

        assertThat(files.refresh()).isTrue();

        assertThat(file).hasContent("as somebody else left it");
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 404, 429, 500})
    void aVaultThatGivesNothingLeavesTheFileAndIsReportedOnce(int status) throws Exception {
        SecretFiles files = files(Map.of("join-token", file));
        files.refresh();
        said.clear();
        vault.refuse(status);

        assertThat(files.refresh()).isFalse();
        assertThat(files.refresh()).isFalse();

        assertThat(file).hasContent("kvj_first");
        assertThat(said).hasSize(1);
        assertThat(said.getFirst())
                .startsWith(file + " stays as it is: ")
                .contains("join-token")
                .doesNotContain("kvj_");
    }

    @Test
    void oneSecretThatIsMissingKeepsNoOtherFromItsFile() throws Exception {
        assertThat(files(Map.of("join-token", file, "absent", folder.resolve("absent")))
                        .refresh())
                .isFalse();

        assertThat(file).hasContent("kvj_first");
        assertThat(folder.resolve("absent")).doesNotExist();
    }

    @Test
    void aCertificateThatIsNotPemSaysWhatItsPolicyNeeds() throws Exception {
        vault.put("tls", "MIIKPAIBAzCC", "application/x-pkcs12");

        assertThat(files(Map.of("tls", file)).refresh()).isFalse();

        assertThat(said.getFirst()).contains("application/x-pem-file").doesNotContain("MIIK");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://example.com",
                "http://kv.vault.azure.net",
                "https://kv.vault.azure.net/secrets/a",
                "https://vault.azure.net.example.com",
                "https://evilvault.azure.net"
            })
    void noTokenGoesToAnythingButAKeyVault(String address) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new VaultClient(URI.create(address), "", new AzureMetadata(vault.address())))
                .withMessageStartingWith("--vault: " + address + " is no key vault");
    }

    @Test
    void theCommandEndsWithAFailureIfAFileCouldNotBeWritten() {
        StringWriter err = new StringWriter();

        assertThat(once("join-token=" + file, err)).isZero();
        assertThat(once("absent=" + folder.resolve("absent"), err)).isEqualTo(1);

        assertThat(err.toString()).contains("there is no secret absent in " + vault.address());
    }

    private int once(String file, StringWriter err) {
        String address = vault.address().toString();
        return CommandLines.of(new SecretsCommand())
                .setErr(new PrintWriter(err, true))
                .execute("--once", "--vault", address, "--metadata", address, "--file", file);
    }
}
