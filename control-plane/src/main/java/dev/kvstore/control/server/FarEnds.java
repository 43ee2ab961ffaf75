package dev.kvstore.control.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the database and the identity provider prove their identity, unless they are on this machine: the control
 * plane sends its password and every tenant's secrets to the database, and the identity provider decides who is an
 * admin. Stateless.
 */
final class FarEnds {
    private static final String JDBC = "jdbc:postgresql:";
    private static final Set<String> LOCAL_NAMES = Set.of("localhost", "::1", "[::1]", "");
    private static final Pattern LOOPBACK = Pattern.compile("127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}");

    /**
     * Parameters with which a certificate may count that proves nothing, or the driver may reach another host than the
     * URL names.
     */
    private static final Set<String> REPLACING =
            Set.of("sslfactory", "sslhostnameverifier", "sslfactoryarg", "socketfactory", "service", "pghost", "host");

    private FarEnds() {}

    /** The reason why the database must not be used, and the way out; null if it may be used. */
    static @Nullable String databaseFlaw(String url) {
        String rest = url.substring(JDBC.length());
        int query = rest.indexOf('?');
        String parameters = query < 0 ? "" : rest.substring(query + 1);
        boolean verified = false;
        for (String parameter : parameters.split("&", -1)) {
            int equals = parameter.indexOf('=');
            String name = decoded(equals < 0 ? parameter : parameter.substring(0, equals));
            String value = equals < 0 ? "" : decoded(parameter.substring(equals + 1));
            if (REPLACING.contains(name.toLowerCase(Locale.ROOT))) {
                return "--jdbc-url: leave out " + name + ", or give --insecure-database";
            }
            if (name.equals("sslmode")) {
                verified = value.equals("verify-full");
            }
        }
        return verified || areLocal(query < 0 ? rest : rest.substring(0, query))
                ? null
                : "--jdbc-url: the database is on another machine: add sslmode=verify-full, and sslrootcert=FILE for an"
                        + " authority that Java's list lacks; or give --insecure-database, and whoever is in between gets all";
    }

    /**
     * The URL of a database whose certificate is verified by the JDK's authorities, unless the URL or the driver's own
     * file names others.
     *
     * @param hasOwnFile whether there is a file {@code ~/.postgresql/root.crt}, which the driver reads by itself
     */
    static String withAuthorities(String url, boolean hasOwnFile) {
        boolean verified = url.contains("sslmode=verify-full") || url.contains("sslmode=verify-ca");
        return verified && !hasOwnFile && !url.contains("sslrootcert=") && !url.contains("sslfactory=")
                ? url + "&sslfactory=org.postgresql.ssl.DefaultJavaSSLFactory"
                : url;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, UTF_8);
        } catch (IllegalArgumentException e) {
            return text; // PostgreSQL's driver refuses this text with a better message
        }
    }

    /**
     * Whether all hosts of {@code //host:port,host:port/database} are on this machine; {@code database} without a host
     * is.
     */
    private static boolean areLocal(String place) {
        if (!place.startsWith("//")) {
            return true;
        }
        int end = place.indexOf('/', 2);
        for (String host : (end < 0 ? place.substring(2) : place.substring(2, end)).split(",", -1)) {
            if (!isLocal(host.startsWith("[") ? host.replaceFirst("]:.*", "]") : host.replaceFirst(":\\d*$", ""))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isLocal(String host) {
        return LOCAL_NAMES.contains(host) || LOOPBACK.matcher(host).matches();
    }

    /** The reason why tokens of an issuer must not be accepted, and the way out; null if they may be. */
    static @Nullable String issuerFlaw(String issuer) {
        try {
            URI uri = new URI(issuer);
            if ("https".equals(uri.getScheme()) || (uri.getHost() != null && isLocal(uri.getHost()))) {
                return null;
            }
        } catch (URISyntaxException e) {
            // The message below covers this.
        }
        return "KVSTORE_OIDC_ISSUER: must begin with https:// unless it is on this machine; or set KVSTORE_OIDC_INSECURE=true, and"
                + " whoever is in between makes admins";
    }

    /** Checks the issuer of the settings, like {@link #issuerFlaw(String)}, if its tokens are accepted. */
    static @Nullable String issuerFlaw(ControlPlaneSettings settings) {
        return settings.oidcEnabled() && !settings.oidcInsecure() ? issuerFlaw(settings.oidcIssuer()) : null;
    }
}
