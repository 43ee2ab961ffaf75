package dev.kvstore.control.database;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;

/**
 * A database that can be reached.
 *
 * @param url of JDBC; without user and passwords, so that it may be shown
 * @param keyPassword of the client's encrypted key, {@code sslpassword}; empty for none
 */
public record Database(String url, String user, String password, String keyPassword) {
    /** Parameters of a URL that pgjdbc reads like the caller's own properties. */
    private static final List<String> OWN = List.of("user", "password", "sslpassword");

    private static final Pattern PASSWORD = Pattern.compile("(?i)(password=)[^&\\s'\"]*");
    private static final Pattern USER_INFO = Pattern.compile("(//)[^/?\\s]*@");

    /** A database whose client key, if there is one, is not encrypted. */
    public Database(String url, String user, String password) {
        this(url, user, password, "");
    }

    /**
     * A database by its URL. User and passwords in the URL take precedence over the other parameters, as with
     * PostgreSQL's driver.
     *
     * @throws BadDatabaseException if the URL has them where the driver does not look, or not as a URL has them
     */
    public static Database of(String url, String user, String password) throws BadDatabaseException {
        int query = url.indexOf('?');
        String place = query < 0 ? url : url.substring(0, query);
        if (place.contains("@")) {
            throw new BadDatabaseException("--jdbc-url: has user and password before the host, where PostgreSQL's"
                    + " driver does not look: set KVSTORE_DB_USER and KVSTORE_DB_PASSWORD");
        }
        Map<String, String> own = new HashMap<>(Map.of("user", user, "password", password));
        List<String> rest = new ArrayList<>();
        for (String parameter :
                query < 0 ? new String[0] : url.substring(query + 1).split("&", -1)) {
            String[] parts = parameter.split("=", 2);
            if (!OWN.contains(parts[0])) {
                rest.add(parameter);
            } else if (parts.length == 2) {
                own.put(parts[0], decoded(parts));
            }
        }
        return new Database(
                rest.isEmpty() ? place : place + "?" + String.join("&", rest),
                own.getOrDefault("user", ""),
                own.getOrDefault("password", ""),
                own.getOrDefault("sslpassword", ""));
    }

    private static String decoded(String[] parameter) throws BadDatabaseException {
        try {
            return URLDecoder.decode(parameter[1], UTF_8);
        } catch (IllegalArgumentException e) {
            // The message of the exception contains the value.
            throw new BadDatabaseException("--jdbc-url: the value of " + parameter[0]
                    + " has a % that begins no two digits: write %25 for it");
        }
    }

    /** A text for people, such as an error about a command line, without the passwords of URLs that are in it. */
    public static String withoutPasswords(String text) {
        return USER_INFO.matcher(PASSWORD.matcher(text).replaceAll("$1***")).replaceAll("$1***@");
    }

    /** The properties that the driver gets beside the URL. */
    Properties properties() {
        Properties properties = new Properties();
        properties.setProperty("user", user);
        properties.setProperty("password", password);
        if (!keyPassword.isEmpty()) {
            properties.setProperty("sslpassword", keyPassword);
        }
        return properties;
    }

    /** The database's text without user and passwords. */
    @Override
    public String toString() {
        return "Database[" + url + "]";
    }
}
