package dev.kvstore.clusters.address;

import java.util.regex.Pattern;

/** The address of a listening process: a host's name or address, and a port. */
public final class Address {
    /** The form of an address; other code checks the range of the port. */
    public static final String REGEX = "([A-Za-z0-9][A-Za-z0-9.-]{0,252}|\\[[0-9A-Fa-f:.]{2,45}]):[1-9][0-9]{0,4}";

    /** The rule for addresses, for error messages. */
    public static final String SHAPE = "must be host:port, the host's name without _";

    private static final Pattern PATTERN = Pattern.compile(REGEX);
    private static final int MOST_PORT = 65_535;

    private Address() {}

    /** Whether a text can be the host of an address; IPv6 in brackets. */
    public static boolean isHost(String text) {
        return isOne(text + ":1");
    }

    /**
     * The address at which others find a process that they do not reach at its own address.
     *
     * @param advertised an address, or a host alone for the process' own port
     */
    public static String advertised(String advertised, String own) {
        return isOne(advertised) ? advertised : advertised + own.substring(own.lastIndexOf(':'));
    }

    /** Whether a text can be an address. */
    public static boolean isOne(String text) {
        return PATTERN.matcher(text).matches()
                && Integer.parseInt(text.substring(text.lastIndexOf(':') + 1)) <= MOST_PORT;
    }
}
