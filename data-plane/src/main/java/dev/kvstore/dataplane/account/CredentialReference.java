package dev.kvstore.dataplane.account;

import java.nio.file.Path;

/** Where a storage credential is found; never the credential itself. */
public sealed interface CredentialReference {
    /** The identity the platform gives this process. */
    record ManagedIdentity() implements CredentialReference {}

    /** An environment variable that holds a connection string or a SAS token. */
    record Environment(String variable) implements CredentialReference {}

    /** A file that holds a connection string or a SAS token. */
    record File(Path path) implements CredentialReference {}

    /**
     * Reads {@code managed-identity}, {@code env:NAME} or {@code file:/path}.
     *
     * @throws IllegalArgumentException if it is none of them
     */
    static CredentialReference parse(String text) {
        if (text.equals("managed-identity")) {
            return new ManagedIdentity();
        }
        if (text.startsWith("env:") && text.length() > 4) {
            return new Environment(text.substring(4));
        }
        if (text.startsWith("file:/")) {
            return new File(Path.of(text.substring(5)));
        }
        throw new IllegalArgumentException(
                "must be managed-identity, env:NAME or file:/path; a credential itself has no place here");
    }
}
