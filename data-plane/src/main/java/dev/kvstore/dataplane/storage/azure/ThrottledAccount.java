package dev.kvstore.dataplane.storage.azure;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import dev.kvstore.dataplane.rate.AdaptiveThrottle;
import io.micrometer.core.instrument.Counter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Sends a storage account that answers 429 and 503 fewer requests, by an {@link AdaptiveThrottle}: the others fail at
 * once, and are not tried again. Thread-safe.
 */
final class ThrottledAccount implements HttpPipelinePolicy {
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVICE_UNAVAILABLE = 503;

    private final AdaptiveThrottle throttle;
    private final Counter withheld;

    ThrottledAccount(AdaptiveThrottle throttle, Counter withheld) {
        this.throttle = throttle;
        this.withheld = withheld;
    }

    /** A request that was not sent. */
    static final class WithheldException extends RuntimeException {
        private static final long serialVersionUID = 1;

        WithheldException() {
            super("not asked, since storage has asked for fewer requests", null, false, false);
        }
    }

    @Override
    public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
        if (!throttle.permits()) {
            withheld.increment();
            return Mono.error(new WithheldException());
        }
        // A request without an answer says nothing of throttling.
        return next.process()
                .doOnNext(this::heard)
                .doOnError(failure -> throttle.accepted())
                .doOnCancel(throttle::accepted);
    }

    private void heard(HttpResponse answer) {
        int status = answer.getStatusCode();
        if (status == TOO_MANY_REQUESTS || status == SERVICE_UNAVAILABLE) {
            throttle.refused(silence(answer.getHeaderValue(HttpHeaderName.RETRY_AFTER)));
        } else {
            throttle.accepted();
        }
    }

    /** The silence that an answer asks for, in seconds; a date, which Azure Storage does not send, counts as none. */
    private static Duration silence(@Nullable String retryAfter) {
        return retryAfter != null && retryAfter.matches("[0-9]{1,9}")
                ? Duration.ofSeconds(Long.parseLong(retryAfter))
                : Duration.ZERO;
    }
}
