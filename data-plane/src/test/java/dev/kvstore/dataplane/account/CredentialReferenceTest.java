package dev.kvstore.dataplane.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CredentialReferenceTest {
    @Test
    void aSecretIsForTheAccountWhoseCredentialItIs() {
        assertThat(CredentialReference.parse("keyvault:https://our-vault.vault.azure.net/secrets/sas", "demo"))
                .isEqualTo(new CredentialReference.VaultSecret(
                        URI.create("https://our-vault.vault.azure.net/secrets/sas"), "demo"))
                .isNotEqualTo(
                        CredentialReference.parse("keyvault:https://our-vault.vault.azure.net/secrets/sas", "other"));
        assertThat(CredentialReference.parse("keyvault:https://v12.vault.azure.cn/secrets/sas/0123abcd", "demo"))
                .isInstanceOf(CredentialReference.VaultSecret.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "keyvault:",
                "keyvault:http://our-vault.vault.azure.net/secrets/sas",
                "keyvault:https://our-vault.example.org/secrets/sas",
                "keyvault:https://169.254.169.254/secrets/sas",
                "keyvault:https://example.org/.vault.azure.net/secrets/sas",
                "keyvault:https://x@our-vault.vault.azure.net/secrets/sas",
                "keyvault:https://our-vault.vault.azure.net:8443/secrets/sas",
                "keyvault:https://our-vault.vault.azure.net.example.org/secrets/sas",
                "keyvault:https://our-vault.vault.azure.net/keys/sas",
                "keyvault:https://our-vault.vault.azure.net/secrets/",
                "keyvault:https://our-vault.vault.azure.net/secrets/a/b/c",
                "keyvault:https://our-vault.vault.azure.net/secrets/../keys",
                "keyvault:https://our-vault.vault.azure.net/secrets/sas?sig=s3cr3t"
            })
    void whatIsNoSecretOfAVaultIsRefusedWithoutRepeatingIt(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CredentialReference.parse(text, "demo"))
                .withMessageStartingWith("must be keyvault:https://VAULT.vault.azure.net/secrets/NAME")
                .withMessageNotContaining("s3cr3t");
    }
}
