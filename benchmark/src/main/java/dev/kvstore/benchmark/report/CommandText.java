package dev.kvstore.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A command as it was given, to be typed again elsewhere: without secrets, the folders of absolute paths and the names
 * of other machines, which are nobody else's.
 */
final class CommandText {
    private static final String HIDDEN = "...";
    private static final Pattern SECRET = Pattern.compile("--?([\\w-]*-)?(key|token|password|secret)");
    private static final Pattern FLAG_WITH_VALUE = Pattern.compile("(--?[\\w-]+)=(.*)", Pattern.DOTALL);
    private static final Pattern URL =
            Pattern.compile("([a-z][a-z0-9+.:-]*://)(?:[^/@]*@)?(\\[[^\\]]*\\]|[^/:,]*)(.*)", Pattern.DOTALL);
    private static final Pattern ENDPOINT =
            Pattern.compile("(\\[[0-9a-fA-F:.]+\\]|[\\w.-]*[A-Za-z.][\\w.-]*)(:\\d{1,5})");
    private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./-]+");
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    private CommandText() {}

    /**
     * @param name of the program
     * @param arguments behind it
     */
    static String of(String name, List<String> arguments) {
        List<String> words = new ArrayList<>(List.of(name));
        boolean secret = false;
        for (String argument : arguments) {
            words.add(quoted(secret ? HIDDEN : shown(argument)));
            secret = SECRET.matcher(argument).matches();
        }
        return String.join(" ", words);
    }

    private static String shown(String argument) {
        Matcher flag = FLAG_WITH_VALUE.matcher(argument);
        if (!flag.matches()) {
            return values(argument);
        }
        return flag.group(1) + "=" + (SECRET.matcher(flag.group(1)).matches() ? HIDDEN : values(flag.group(2)));
    }

    private static String values(String list) {
        return Stream.of(list.split(",", -1)).map(CommandText::value).collect(Collectors.joining(","));
    }

    private static String value(String value) {
        int equals = value.indexOf('=');
        if (equals > 0 && !value.substring(0, equals).contains("/")) {
            return value.substring(0, equals + 1) + value(value.substring(equals + 1));
        }
        Matcher url = URL.matcher(value);
        if (url.matches()) {
            boolean file = url.group(2).isEmpty();
            return url.group(1) + (file ? path(url.group(3)) : host(url.group(2)) + url.group(3));
        }
        Matcher endpoint = ENDPOINT.matcher(value);
        return endpoint.matches() ? host(endpoint.group(1)) + endpoint.group(2) : path(value);
    }

    private static String host(String host) {
        return LOOPBACK.contains(host) ? host : "HOST";
    }

    private static String path(String value) {
        return value.startsWith("/") ? HIDDEN + value.substring(value.lastIndexOf('/')) : value;
    }

    private static String quoted(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
