package dev.kvstore.dataplane.account;

import java.net.URI;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The place of a storage credential; never the credential itself. */
public sealed interface CredentialReference {
    /** The identity the platform gives this process. */
    record ManagedIdentity() implements CredentialReference {}

    /** An environment variable that holds a connection string or a SAS token. */
    record EnvironmentVariable(String variable) implements CredentialReference {}

    /** A file that holds a connection string or a SAS token. */
    record File(Path path) implements CredentialReference {}

    /**
     * A secret in a key vault that holds a connection string or a SAS token. Any tenant may name any secret, and the
     * platform's identity may be able to read other people's secrets. So the secret itself must name the account.
     *
     * @param secret {@code https://VAULT/secrets/NAME}, or with {@code /VERSION}
     * @param resourceName the account it must be for
     */
    record VaultSecret(URI secret, String resourceName) implements CredentialReference {
        /** Key vaults have no other names in any of Azure's clouds, so no other host is asked. */
        private static final Pattern FORM = Pattern.compile("keyvault:(https://[A-Za-z][A-Za-z0-9-]{1,22}[A-Za-z0-9]"
                + "\\.vault\\.(?:azure\\.net|azure\\.cn|usgovcloudapi\\.net)"
                + "/secrets/[A-Za-z0-9-]{1,127}(?:/[A-Za-z0-9]{1,64})?)");

        private static VaultSecret parse(String text, String resourceName) {
            Matcher form = FORM.matcher(text);
            if (!form.matches()) {
                throw new IllegalArgumentException(
                        "must be keyvault:https://VAULT.vault.azure.net/secrets/NAME, with or without /VERSION");
            }
            return new VaultSecret(URI.create(form.group(1)), resourceName);
        }
    }

    /**
     * Reads {@code managed-identity}, {@code env:NAME}, {@code file:/path} or
     * {@code keyvault:https://VAULT/secrets/NAME}.
     *
     * @param resourceName the account whose credential it is
     * @throws IllegalArgumentException if it is none of them
     */
    static CredentialReference parse(String text, String resourceName) {
        if (text.equals("managed-identity")) {
            return new ManagedIdentity();
        }
        if (text.startsWith("env:") && text.length() > 4) {
            return new EnvironmentVariable(text.substring(4));
        }
        if (text.startsWith("file:/")) {
            return new File(Path.of(text.substring(5)));
        }
        if (text.startsWith("keyvault:")) {
            return VaultSecret.parse(text, resourceName);
        }
        throw new IllegalArgumentException("must be managed-identity, env:NAME, file:/path or"
                + " keyvault:https://VAULT/secrets/NAME; a credential itself has no place here");
    }
}
