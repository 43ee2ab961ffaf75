package dev.kvstore.dataplane.storage.http;

import io.netty.handler.codec.http.HttpResponse;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The time for which a server keeps a connection. Stateless. */
final class KeepAliveHeader {
    private static final Pattern TIMEOUT = Pattern.compile("timeout=([0-9]{1,9})");

    private KeepAliveHeader() {}

    /** How long a connection may be kept: a second less than the server keeps it, so that both do not act at once. */
    static Duration idle(HttpResponse response, Duration most) {
        String value = response.headers().get("Keep-Alive");
        Matcher matcher = TIMEOUT.matcher(value == null ? "" : value);
        if (!matcher.find()) {
            return most;
        }
        Duration kept = Duration.ofSeconds(Long.parseLong(matcher.group(1)));
        Duration early =
                kept.minusSeconds(1).compareTo(kept.dividedBy(2)) > 0 ? kept.minusSeconds(1) : kept.dividedBy(2);
        return early.compareTo(most) < 0 ? early : most;
    }
}
