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
import org.junit.jupiter.params.provider.ValueSource;

final class AccountsFileTest {
    private static final String SHA256 = "ab".repeat(32);
    private static final String GOOD = """
            {"tenants": [{
              "name": "local",
              "keys": [{"id": "0a1b2c3d", "sha256": "%s"}],
              "accounts": [
                {"resourceName": "demo", "storage": {"type": "filesystem", "path": "/data"}},
                {"resourceName": "prod", "storage": {"type": "azure", "container": "blocks", "credential": "managed-identity"}}]}]}
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

        assertThat(tenant.keys()).containsExactly(new InMemoryAccountResolver.ConfiguredKey("0a1b2c3d", SHA256));
        assertThat(tenant.accounts())
                .containsExactly(
                        new Account("demo", "local", new StorageLocation.Filesystem(Path.of("/data"))),
                        new Account(
                                "prod",
                                "local",
                                new StorageLocation.Azure(
                                        URI.create("https://prod.blob.example.net"),
                                        "blocks",
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
            "managed-identity"     | "AccountKey=abc"        | credential: must be managed-identity, env:NAME, file:/path or keyvault
            "tenants": [           | "tenants": [[           | not JSON
            "path": "/data"        | "path": "data"          | accounts[].storage.path: must be absolute, not data
            "path": "/data"        | "path": "/\\u0000"     | accounts[].storage.path: is no path
            "container": "blocks"  | "container": "K V!"     | accounts[].storage.container: must be 3 to 63 of a-z
            "container": "blocks"  | "container": "kv"       | accounts[].storage.container: must be 3 to 63 of a-z
            "container": "blocks"  | "container": "a--b"     | accounts[].storage.container: must be 3 to 63 of a-z
            "container": "blocks"  | "container": "-ab"      | accounts[].storage.container: must be 3 to 63 of a-z
            "container": "blocks"  | "container": "ab-"      | accounts[].storage.container: must be 3 to 63 of a-z
            "container": "blocks"  | "container": "$root"    | accounts[].storage.container: must be 3 to 63 of a-z
            "resourceName": "prod" | "resourceName": "a_b"   | accounts[].storage.endpoint: is missing, and https://a_b
            "managed-identity"     | "file:key.txt"          | accounts[].storage.credential: must be managed-identity
            """)
    void namesTheFieldThatIsWrong(String good, String bad, String message) throws IOException {
        Files.writeString(file, GOOD.replace(good, bad));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> AccountsFile.read(file, ".blob.example.net"))
                .withMessageStartingWith(file + ": ")
                .withMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nonsense",
                "/blocks",
                "ftp://storage.example.net",
                "https://",
                "https:storage.example.net",
                "https://not a host",
                "https://user:secret@storage.example.net",
                "https://storage.example.net?sig=secret",
                "https://storage.example.net#secret"
            })
    void anEndpointIsAnAddressAndHoldsNoSecret(String endpoint) throws IOException {
        Files.writeString(file, GOOD.replace("\"container\":", "\"endpoint\": \"" + endpoint + "\", \"container\":"));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> AccountsFile.read(file, ".blob.example.net"))
                .withMessageStartingWith(file + ": accounts[].storage.endpoint: must be http:// or https://")
                .withMessageNotContaining("secret");
    }

    @Test
    void anEndpointMayHaveAPortAndAPath() throws IOException {
        Files.writeString(
                file,
                GOOD.replace("\"container\":", "\"endpoint\": \"http://127.0.0.1:10000/account\", \"container\":"));

        assertThat(AccountsFile.read(file, "").getFirst().accounts().getLast().storage())
                .isInstanceOfSatisfying(
                        StorageLocation.Azure.class,
                        azure -> assertThat(azure.endpoint()).isEqualTo(URI.create("http://127.0.0.1:10000/account")));
    }

    @Test
    void aFileWithoutTenantsIsNoUse() throws IOException {
        Files.writeString(file, "{\"tenants\": []}");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> AccountsFile.read(file, ""))
                .withMessage(file + ": tenants: must hold at least one");
    }

    @Test
    void aTenantKnowsTheVariablesItsCredentialsAreIn() throws IOException {
        Files.writeString(file, GOOD.replace("managed-identity", "env:KVSTORE_SECRET"));

        assertThat(AccountsFile.read(file, ".blob.example.net").getFirst().credentialVariables())
                .containsExactly("KVSTORE_SECRET");
    }

    @Test
    void saysThatAFileCannotBeRead() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AccountsFile.read(file, ""))
                .withMessageContaining("cannot be read");
    }
}
