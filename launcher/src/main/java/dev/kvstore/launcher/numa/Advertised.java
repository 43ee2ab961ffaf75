package dev.kvstore.launcher.numa;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The addresses at which others reach the data planes of a machine, for a flag of the data planes. Immutable.
 *
 * @param addresses an address for each data plane
 */
record Advertised(String flag, List<String> addresses) {
    private static final Pattern ADDRESS = Pattern.compile("(?<host>.+):(?<port>[1-9][0-9]{0,4})");

    Advertised {
        addresses = List.copyOf(addresses);
    }

    /**
     * The advertised addresses: either one for each data plane, or only that of the first, after which the others have
     * the next ports.
     *
     * @throws IllegalArgumentException if there are addresses for some data planes alone
     */
    static Advertised of(String flag, String given, int count) {
        List<String> all = List.of(given.split(",", -1));
        if (all.size() == count) {
            return new Advertised(flag, all);
        }
        if (all.size() > 1) {
            throw new IllegalArgumentException(
                    "%s: must be the address of the first data plane, or one for each of %d, not %d"
                            .formatted(flag, count, all.size()));
        }
        Matcher first = ADDRESS.matcher(given);
        if (!first.matches()) {
            throw new IllegalArgumentException(flag + ": must be HOST:PORT, not \"" + given + "\"");
        }
        int port = Integer.parseInt(first.group("port"));
        return new Advertised(
                flag,
                IntStream.range(port, port + count)
                        .mapToObj(next -> first.group("host") + ":" + next)
                        .toList());
    }

    /** The flag of one data plane. */
    List<String> of(int index) {
        return List.of(flag, addresses.get(index));
    }
}
