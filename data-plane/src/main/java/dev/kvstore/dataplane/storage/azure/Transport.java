package dev.kvstore.dataplane.storage.azure;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The HTTP client that speaks to storage. */
public enum Transport {
    /** Ours: bytes of blocks stay off the heap, several local addresses, meters of connections. */
    NETTY,
    /** The JDK's, as Azure's SDK wraps it. */
    JDK;

    /**
     * The transport that a flag names.
     *
     * @throws IllegalArgumentException naming the transports there are
     */
    public static Transport of(String name) {
        return Arrays.stream(values())
                .filter(transport -> transport.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("must be "
                        + Arrays.stream(values()).map(Transport::toString).collect(Collectors.joining(" or "))
                        + ", not " + name));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
