package dev.kvstore.dataplane.account;

/**
 * Those who share what one tenant may take of a process, equal by value.
 *
 * @param name of a tenant, or of what stands for one whose name is not known; never an API key
 */
public record Party(String name) {
    /** Of callers of whom nobody said whose they are: together. */
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
