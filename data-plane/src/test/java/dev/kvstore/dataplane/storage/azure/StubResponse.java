package dev.kvstore.dataplane.storage.azure;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** An answer of Azure that Azurite does not give. */
final class StubResponse extends HttpResponse {
    private static final HttpHeaderName CODE = HttpHeaderName.fromString("x-ms-error-code");
    private static final int FIRST_ERROR = 400;

    private final int status;
    private final HttpHeaders headers;
    private final byte[] body;

    private StubResponse(HttpRequest request, int status, HttpHeaders headers, byte[] body) {
        super(request);
        this.status = status;
        this.headers = headers;
        this.body = body;
    }

    /** An answer with a body; one that is an error has the code of a missing right. */
    static StubResponse ofXml(HttpRequest request, int status, String body) {
        HttpHeaders headers = new HttpHeaders()
                .set(HttpHeaderName.CONTENT_TYPE, "application/xml")
                .set(HttpHeaderName.fromString("x-ms-request-id"), "1");
        if (status >= FIRST_ERROR) {
            headers.set(CODE, "AuthorizationFailure");
        }
        return new StubResponse(request, status, headers, body.getBytes(UTF_8));
    }

    /** An error with a code and no body, as the answer to a HEAD. */
    static StubResponse ofCode(HttpRequest request, int status, String code) {
        return new StubResponse(request, status, new HttpHeaders().set(CODE, code), new byte[0]);
    }

    @Override
    public int getStatusCode() {
        return status;
    }

    @Override
    @Deprecated
    public @Nullable String getHeaderValue(String name) {
        return headers.getValue(HttpHeaderName.fromString(name));
    }

    @Override
    public HttpHeaders getHeaders() {
        return headers;
    }

    @Override
    public Flux<ByteBuffer> getBody() {
        return body.length == 0 ? Flux.empty() : Flux.just(ByteBuffer.wrap(body));
    }

    @Override
    public Mono<byte[]> getBodyAsByteArray() {
        return Mono.just(body);
    }

    @Override
    public Mono<String> getBodyAsString() {
        return getBodyAsString(UTF_8);
    }

    @Override
    public Mono<String> getBodyAsString(Charset charset) {
        return Mono.just(new String(body, charset));
    }
}
