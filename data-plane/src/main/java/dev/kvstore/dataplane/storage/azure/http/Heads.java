package dev.kvstore.dataplane.storage.azure.http;

import com.azure.core.http.HttpHeader;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpVersion;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Heads of requests and answers, from Azure's form to Netty's and back. Stateless. */
final class Heads {
    private static final Pattern TIMEOUT = Pattern.compile("timeout=([0-9]{1,9})");

    private Heads() {}

    static HttpRequest of(com.azure.core.http.HttpRequest request, HttpOrigin origin) {
        String target = request.getUrl().getFile();
        HttpRequest head = new DefaultHttpRequest(
                HttpVersion.HTTP_1_1,
                io.netty.handler.codec.http.HttpMethod.valueOf(
                        request.getHttpMethod().toString()),
                target.startsWith("/") ? target : '/' + target);
        for (HttpHeader header : request.getHeaders()) {
            head.headers().add(header.getName(), header.getValuesList());
        }
        head.headers().set(HttpHeaderNames.HOST, origin.authority());
        if (!head.headers().contains(HttpHeaderNames.CONTENT_LENGTH)) {
            if (request.getBody() != null) {
                head.headers().set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
            } else if (mayHaveBody(request.getHttpMethod())) {
                head.headers().set(HttpHeaderNames.CONTENT_LENGTH, HttpHeaderValues.ZERO);
            }
        }
        return head;
    }

    private static boolean mayHaveBody(HttpMethod method) {
        return method == HttpMethod.PUT || method == HttpMethod.POST || method == HttpMethod.PATCH;
    }

    static HttpHeaders of(HttpResponse response) {
        HttpHeaders headers = new HttpHeaders();
        for (Map.Entry<String, String> header : response.headers()) {
            headers.add(com.azure.core.http.HttpHeaderName.fromString(header.getKey()), header.getValue());
        }
        return headers;
    }

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
