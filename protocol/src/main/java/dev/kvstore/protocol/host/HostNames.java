package dev.kvstore.protocol.host;

/** Explains errors in names of hosts that people write. Stateless. */
public final class HostNames {
    private HostNames() {}

    /**
     * A sentence to add to the refusal of a text with an underscore, such as the name of a service of Docker Compose: a
     * host's name has no underscore (RFC 1123), and neither URLs nor certificates take one.
     *
     * @return a sentence that begins with {@code ;}; empty if there is no underscore
     */
    public static String hint(String text) {
        return text.contains("_")
                ? "; a host's name has letters, digits, - and ., and no _: call it " + text.replace('_', '-')
                        + ", or write its IP address"
                : "";
    }
}
