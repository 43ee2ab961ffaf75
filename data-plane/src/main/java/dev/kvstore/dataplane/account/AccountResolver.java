package dev.kvstore.dataplane.account;

/** Answers who may use what. Thread-safe. */
public interface AccountResolver {
    /** Tells a known key from others; what it may use is another question. */
    boolean knows(String apiKey);

    /** Accounts known now. */
    int count();

    /**
     * What a key may do with a resource.
     *
     * @param apiKey as it came over the wire
     * @param resourceName as it came over the wire, of any content
     */
    Resolution resolve(String apiKey, String resourceName);
}
