package dev.kvstore.client.internal;

import dev.kvstore.protocol.host.HostPattern;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hosts to which a route may send this client, and so its key. Therefore a wrong address in a route, or a false
 * control plane, does not get the key. Thread-safe.
 */
public final class RoutedHosts {
    private static final Logger LOG = LoggerFactory.getLogger(RoutedHosts.class);

    /** Hosts of this machine, of its link, and of private networks: RFC 1918, 6598, 3927 and 4193. */
    private static final List<String> PRIVATE = List.of(
            "localhost",
            "127.0.0.0/8",
            "10.0.0.0/8",
            "172.16.0.0/12",
            "192.168.0.0/16",
            "100.64.0.0/10",
            "169.254.0.0/16",
            "[::1]",
            "[fc00::/7]",
            "[fe80::/10]");

    private static final HostPattern ADDRESSES = HostPattern.of("0.0.0.0/0");

    /** Hosts for which a warning was logged; beyond this many the first is forgotten. */
    private static final int WARNED = 100;

    private final List<HostPattern> taken;
    private final boolean dotless;
    private final String text;
    private final Set<String> warned = Collections.synchronizedSet(Collections.newSetFromMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > WARNED;
        }
    }));

    private RoutedHosts(List<String> patterns, boolean dotless, String text) {
        this.taken = patterns.stream().map(HostPattern::of).toList();
        this.dotless = dotless;
        this.text = text;
    }

    public static RoutedHosts of(ClientOptions options) {
        if (options.controlPlane().isEmpty()) {
            return any(); // the application named the data planes itself
        }
        if (!options.routedHosts().isEmpty()) {
            return new RoutedHosts(
                    options.routedHosts(), false, "routedHosts are " + String.join(", ", options.routedHosts()));
        }
        if (options.trust() != null) {
            return any(); // data planes show certificates of the authorities that were named
        }
        List<String> patterns = new ArrayList<>(PRIVATE);
        options.controlPlane().stream()
                .map(address -> EndpointAddress.parse(address).host())
                .forEach(host -> patterns.addAll(near(host)));
        return new RoutedHosts(
                patterns,
                true,
                "without trust(pem) these are hosts of the control plane's domain, names without a dot and private IP"
                        + " addresses; name others with routedHosts(...)");
    }

    static RoutedHosts any() {
        return new RoutedHosts(List.of("*"), true, "any");
    }

    /**
     * The patterns for a control plane's host, and for all names below its domain, unless that is a top-level domain.
     */
    private static List<String> near(String host) {
        if (!isPattern(host)) {
            return List.of(); // an IP address that not every library reads in the same way
        }
        String domain = host.substring(host.indexOf('.') + 1);
        boolean named = !ADDRESSES.takes(host) && !host.startsWith("[");
        return named && domain.indexOf('.') > 0 && domain.length() < host.length()
                ? List.of(host, "*." + domain)
                : List.of(host);
    }

    private static boolean isPattern(String host) {
        try {
            var unused = HostPattern.of(host);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Whether the client may use a data plane at this address; if not, a warning is logged once for each host. */
    boolean mayBe(String process, EndpointAddress address) {
        String host = address.host();
        boolean plain = dotless && host.matches("[A-Za-z][A-Za-z0-9-]*");
        if (plain || taken.stream().anyMatch(pattern -> pattern.takes(host))) {
            return true;
        }
        if (warned.add(host)) {
            LOG.warn(
                    "process {} is left out, and the API key is not sent there: its address \"{}\" is at no host that"
                            + " this client trusts: {}",
                    process,
                    address,
                    text);
        }
        return false;
    }

    /** The hosts as a text. */
    @Override
    public String toString() {
        return text;
    }
}
