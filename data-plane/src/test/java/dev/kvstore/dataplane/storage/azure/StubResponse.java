package dev.kvstore.dataplane.storage.azure;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import java.nio.ByteBuffer;
import reactor.core.publisher.Flux;

/** Answers of Azure that Azurite does not give. Stateless. */
final class StubResponse {
    private static final HttpHeaderName CODE = HttpHeaderName.fromString("x-ms-error-code");
    private static final int FIRST_ERROR = 400;

    private StubResponse() {}

    /** An answer with a body; one that is an error has the code of a missing right. */
    static AzureResponse ofXml(HttpRequest request, int status, String body) {
        HttpHeaders headers = new HttpHeaders()
                .set(HttpHeaderName.CONTENT_TYPE, "application/xml")
                .set(HttpHeaderName.fromString("x-ms-request-id"), "1");
        if (status >= FIRST_ERROR) {
            headers.set(CODE, "AuthorizationFailure");
        }
        Flux<ByteBuffer> bytes = body.isEmpty() ? Flux.empty() : Flux.just(ByteBuffer.wrap(body.getBytes(UTF_8)));
        return new AzureResponse(request, status, headers, bytes, () -> {});
    }

    /** An error with a code and no body, as the answer to a HEAD. */
    static AzureResponse ofCode(HttpRequest request, int status, String code) {
        return new AzureResponse(request, status, new HttpHeaders().set(CODE, code), Flux.empty(), () -> {});
    }
}
