package dev.kvstore.dataplane.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AccountsFileTest {
    private static final String SHA256 = "ab".repeat(32);
    private static final String GOOD = """
            {"tenants": [{
              "name": "local",
              "keys": [{"id": "0a1b2c3d", "sha256": "%s"}],
              "accounts": [
                {"resourceName": "demo", "storage": {"type": "filesystem", "path": "/data"}},
                {"resourceName": "prod", "storage": {"type": "azure", "container": "kv", "credential": "managed-identity"}}]}]}
            """.formatted(SHA256);

    @TempDir
    private Path directory;

    private Path file;

    @BeforeEach
    void nameFile() {
        file = directory.resolve("accounts.json");
    }

    @Test
    void readsTenantsKeysAndAccounts() throws IOException {
        Files.writeString(file, GOOD);

        InMemoryAccountResolver.Tenant tenant =
                AccountsFile.read(file, ".blob.example.net").getFirst();

        assertThat(tenant.keys()).containsExactly(new InMemoryAccountResolver.Key("0a1b2c3d", SHA256));
        assertThat(tenant.accounts())
                .containsExactly(
                        new Account("demo", "local", new StorageLocation.Filesystem(Path.of("/data"))),
                        new Account(
                                "prod",
                                "local",
                                new StorageLocation.Azure(
                                        URI.create("https://prod.blob.example.net"),
                                        "kv",
                                        new CredentialReference.ManagedIdentity(),
                                        false)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            "tenants"              | "tenant"                | tenants: must be a list
            "name": "local"        | "name": ""              | tenants[].name: is missing
            "id": "0a1b2c3d"       | "id": "a_b"             | keys[].id: must be
            "sha256": "ab          | "sha256": "zz           | keys[].sha256: must be 64 hexadecimal digits
            "resourceName": "demo" | "resourceName": "../up" | accounts[].resourceName: must be
            "type": "filesystem"   | "type": "ftp"           | accounts[].storage.type: must be filesystem or azure
            "path": "/data"        | "folder": "/data"       | accounts[].storage.path: is missing
            "managed-identity"     | "AccountKey=abc"        | credential: must be managed-identity, env:NAME or file:/path
            "tenants": [           | "tenants": [[           | not JSON
            """)
    void namesTheFieldThatIsWrong(String good, String bad, String message) throws IOException {
        Files.writeString(file, GOOD.replace(good, bad));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> AccountsFile.read(file, ".blob.example.net"))
                .withMessageStartingWith(file + ": ")
                .withMessageContaining(message);
    }

    @Test
    void saysThatAFileCannotBeRead() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AccountsFile.read(file, ""))
                .withMessageContaining("cannot be read");
    }
}
