package dev.kvstore.dataplane.storage.azure;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.UrlBuilder;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/**
 * Why storage may have refused a credential, as far as the request and the answer tell: both tell the time at their
 * ends, and a SAS token says when it is good. Quotes nothing else of them. Stateless.
 */
final class AzureRefusal {
    /** A greater difference of clocks counts as the reason: Azure takes a signature for 15 minutes. */
    static final Duration MOST_SKEW = Duration.ofMinutes(5);

    private static final HttpHeaderName MS_DATE = HttpHeaderName.fromString("x-ms-date");

    /** Query parameters of a SAS token: its beginning and its end. */
    private static final String BEGIN = "st";

    private static final String END = "se";

    private AzureRefusal() {}

    /** The reason, which follows "the service's credential"; null if nothing tells one. */
    static @Nullable String reason(@Nullable HttpResponse answer) {
        if (answer == null) {
            return null;
        }
        Instant there = time(answer.getHeaders().getValue(HttpHeaderName.DATE));
        if (there == null) {
            return null;
        }
        HttpRequest request = answer.getRequest();
        String token = ofToken(request, there);
        return token == null ? ofClock(request.getHeaders(), there) : token;
    }

    private static @Nullable String ofToken(HttpRequest request, Instant there) {
        var query = UrlBuilder.parse(request.getUrl()).getQuery();
        Instant begin = time(decoded(query.get(BEGIN)));
        Instant end = time(decoded(query.get(END)));
        if (end != null && end.isBefore(there)) {
            return "its SAS token ended at " + end + "; make a new one";
        }
        return begin != null && begin.isAfter(there)
                ? "its SAS token begins at " + begin + ", and it is " + there + " at the storage"
                : null;
    }

    private static @Nullable String ofClock(HttpHeaders sent, Instant there) {
        String text = sent.getValue(MS_DATE);
        Instant here = time(text == null ? sent.getValue(HttpHeaderName.DATE) : text);
        if (here == null || Duration.between(here, there).abs().compareTo(MOST_SKEW) < 0) {
            return null;
        }
        return "the clock of the data plane says " + here + ", and it is " + there + " at the storage; set the clock";
    }

    /** A parameter without its percent signs; null if there is none, or it is malformed. */
    private static @Nullable String decoded(@Nullable String parameter) {
        try {
            return parameter == null ? null : URLDecoder.decode(parameter, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** A time as HTTP or as a SAS token writes it; null if it is neither. */
    private static @Nullable Instant time(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return null;
        }
        try {
            return Character.isDigit(text.charAt(0))
                    ? ofToken(text)
                    : ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                            .toInstant();
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** The time in a token, such as {@code 2026-11-26}, {@code 2026-11-26T20:31Z} or {@code 2026-11-26T20:31:36Z}. */
    private static Instant ofToken(String text) {
        return text.indexOf('T') < 0
                ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
                : OffsetDateTime.parse(text).toInstant();
    }
}
