package dev.kvstore.dataplane.account;

/**
 * The callers that share one tenant's part of a data plane. Equal by value.
 *
 * @param name words for the tenant, as in {@code tenant acme}, or for what is known in its place; never an API key
 */
public record Party(String name) {
    /** All callers whose key was not looked up. */
    public static final Party NOBODY = new Party("");

    /** A tenant. */
    public static Party tenant(String name) {
        return new Party("tenant " + name);
    }

    /** A key whose tenant is not known. */
    public static Party key(Credential credential) {
        return new Party("key " + credential.keyId());
    }
}
