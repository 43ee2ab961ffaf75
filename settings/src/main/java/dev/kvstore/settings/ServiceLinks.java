package dev.kvstore.settings;

import java.util.regex.Pattern;

/**
 * Recognises the variables that Kubernetes gives a pod for each service of its namespace. For a service {@code
 * kvstore-control-plane} their names are {@code KVSTORE_CONTROL_PLANE_SERVICE_HOST}, {@code KVSTORE_CONTROL_PLANE_PORT}
 * and others, and look like settings. Stateless.
 */
final class ServiceLinks {
    private static final Pattern PORT = Pattern.compile("[A-Z0-9_]+_SERVICE_PORT(_[A-Z0-9_]+)?");
    private static final Pattern HOST = Pattern.compile("[A-Z0-9_]+_SERVICE_HOST");
    private static final Pattern LINK = Pattern.compile("[A-Z0-9_]+_PORT(_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,5}");
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|[0-9a-f:.]*:[0-9a-f:.]*");
    private static final Pattern URL = Pattern.compile("(tcp|udp|sctp)://\\S+");

    private ServiceLinks() {}

    /** Whether both name and value have this form; a misspelt setting of such a name has another value. */
    static boolean isOne(String name, String value) {
        if (HOST.matcher(name).matches()) {
            return ADDRESS.matcher(value).matches();
        }
        if (PORT.matcher(name).matches()) {
            return NUMBER.matcher(value).matches();
        }
        if (!LINK.matcher(name).matches()) {
            return false;
        }
        if (name.endsWith("_PROTO")) {
            return value.equals("tcp") || value.equals("udp") || value.equals("sctp");
        }
        if (name.endsWith("_ADDR")) {
            return ADDRESS.matcher(value).matches();
        }
        boolean number = name.matches(".*_\\d+_(TCP|UDP|SCTP)_PORT");
        return (number ? NUMBER : URL).matcher(value).matches();
    }
}
