package dev.kvstore.launcher.stack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The file as the data plane reads it. */
class StackAccountsTest {
    private final ObjectMapper json = new ObjectMapper();
    private final ApiKey key = ApiKey.generate(new Random(1));

    @Test
    void namesTenantKeyAndFolder() throws Exception {
        StackAccounts accounts =
                StackAccounts.of("local", key, "demo", StackAccounts.Filesystem.of(Path.of("/data/blocks")));

        assertThat(json.readTree(accounts.toJson())).isEqualTo(json.readTree("""
                {"tenants": [{"name": "local",
                  "keys": [{"id": "%s", "sha256": "%s"}],
                  "accounts": [{"resourceName": "demo",
                    "storage": {"type": "filesystem", "path": "/data/blocks"}}]}]}""".formatted(key.id(), key.sha256())));
    }

    @Test
    void namesContainerAndCredentialByReference() throws Exception {
        StackAccounts.Azure azure =
                new StackAccounts.Azure("http://127.0.0.1:10000/devstoreaccount1", "demo", "env:NAME", true);
        StackAccounts accounts = StackAccounts.of("local", key, "demo", azure);

        assertThat(json.readTree(accounts.toJson()).at("/tenants/0/accounts/0/storage"))
                .isEqualTo(json.readTree("""
                        {"type": "azure", "endpoint": "http://127.0.0.1:10000/devstoreaccount1", "container": "demo",
                         "credential": "env:NAME", "createContainer": true}"""));
    }

    @Test
    void doesNotHoldTheKeyItself() {
        StackAccounts accounts = StackAccounts.of("local", key, "demo", StackAccounts.Filesystem.of(Path.of("/data")));

        assertThat(accounts.toJson()).doesNotContain(key.text());
    }
}
