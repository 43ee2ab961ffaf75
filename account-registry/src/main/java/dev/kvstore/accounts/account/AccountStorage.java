package dev.kvstore.accounts.account;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kvstore.admin.name.PlainText;
import dev.kvstore.admin.problem.ProblemException;
import java.net.URI;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;

/** The storage of an account in a region, by its kind. Immutable. */
public sealed interface AccountStorage {
    /** The storage that has these columns. */
    static AccountStorage of(StorageRow row) {
        return row.endpoint().startsWith(Filesystem.SCHEME) ? new Filesystem(row) : new Azure(row);
    }

    /**
     * The normal form of an endpoint of this kind.
     *
     * @param field the field with the endpoint, for the message
     * @throws ProblemException if it is none of this kind
     */
    String endpoint(String field, URI uri);

    /** A folder of the data planes' own machines. */
    record Filesystem(StorageRow row) implements AccountStorage {
        private static final String SCHEME = "file:";

        /** An absolute path below /, without segments that lead elsewhere. */
        private static final Pattern PATH = Pattern.compile("(/(?!\\.\\.|\\.(/|\\z))[^/]+)+/?");

        /** The characters that a path in a URL has only with an escape, by RFC 3986. */
        private static final Pattern ESCAPED = Pattern.compile("[^A-Za-z0-9/._~!$&'()*+,;=:@-]+");

        /** The folder, as the file system names it. */
        public String path() {
            return URI.create(row.endpoint()).getPath();
        }

        @Override
        public String endpoint(String field, URI uri) {
            String path = uri.normalize().getPath();
            if (path == null
                    || !PATH.matcher(path).matches()
                    || uri.getAuthority() != null
                    || uri.getRawQuery() != null
                    || uri.getRawFragment() != null
                    || PlainText.flaw(path) != null) {
                throw ProblemException.invalid(
                        field,
                        "must be file:/// and an absolute path without control characters, in which a space is %20");
            }
            return SCHEME + "//" + encoded(path).replaceFirst("/$", "");
        }

        /** Each byte of an escaped character in UTF-8 becomes {@code %} and two digits. */
        static String encoded(String path) {
            HexFormat escapes = HexFormat.of().withUpperCase().withPrefix("%");
            return ESCAPED.matcher(path)
                    .replaceAll(part -> escapes.formatHex(part.group().getBytes(UTF_8)));
        }
    }

    /** A container of Azure Blob Storage. */
    record Azure(StorageRow row) implements AccountStorage {
        @Override
        public String endpoint(String field, URI uri) {
            String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
            if (!scheme.matches("https?")
                    || uri.getHost() == null
                    || uri.getRawUserInfo() != null
                    || uri.getRawQuery() != null
                    || uri.getRawFragment() != null) {
                throw ProblemException.invalid(
                        field,
                        "must be http or https with a host, in whose name is no _, and at most a port and a path");
            }
            return scheme
                    + "://"
                    + uri.getHost().toLowerCase(Locale.ROOT)
                    + (uri.getPort() < 0 ? "" : ":" + uri.getPort())
                    + uri.normalize().getRawPath().replaceFirst("/$", "");
        }
    }
}
