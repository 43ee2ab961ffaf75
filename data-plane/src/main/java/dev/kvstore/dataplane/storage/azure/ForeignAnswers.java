package dev.kvstore.dataplane.storage.azure;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * Refuses answers that Azure Storage has not given: a portal that wants a password, a proxy, or a server behind a wrong
 * private endpoint say nothing of blobs, whatever their status. Such an answer is not asked for again. Stateless.
 */
final class ForeignAnswers implements HttpPipelinePolicy {
    /** Headers of Azure Storage: the service has the first in every answer, and an emulator at least one of them. */
    private static final List<HttpHeaderName> SIGNS = List.of(
            HttpHeaderName.fromString("x-ms-request-id"),
            HttpHeaderName.fromString("x-ms-version"),
            HttpHeaderName.fromString("x-ms-error-code"));

    private static final int TOO_MANY_REQUESTS = 429;
    private static final int FIRST_OF_SERVERS = 500;

    /** An answer that Azure Storage has not given. */
    static final class ForeignAnswerException extends RuntimeException {
        private static final long serialVersionUID = 1;

        ForeignAnswerException(String what) {
            super(what, null, false, false);
        }
    }

    @Override
    public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
        return next.process().flatMap(ForeignAnswers::checked);
    }

    private static Mono<HttpResponse> checked(HttpResponse answer) {
        int status = answer.getStatusCode();
        // Balancers in front of the service send these two kinds, and mean the same as it does.
        if (status == TOO_MANY_REQUESTS
                || status >= FIRST_OF_SERVERS
                || SIGNS.stream().anyMatch(sign -> answer.getHeaders().get(sign) != null)) {
            return Mono.just(answer);
        }
        answer.close();
        return Mono.error(new ForeignAnswerException("answered " + status + ", but not as Azure Storage does, without "
                + SIGNS.getFirst() + "; is a proxy in between?"));
    }

    /** An answer about a blob from a service that has none, such as the one of static websites. */
    static ForeignAnswerException notOfABlob() {
        return new ForeignAnswerException(
                "answered without x-ms-blob-type or ETag, as no blob does; is the endpoint that of the blob service?");
    }
}
