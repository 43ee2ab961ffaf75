package dev.kvstore.dataplane.storage.azure;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;

/**
 * Notes that a try of a call was sent and had no answer, or an answer that does not tell whether storage acted. The
 * client then asks again, and the next answer may be the effect of the first try. Stateless.
 */
final class LostAnswers implements HttpPipelinePolicy {
    private static final Class<LostAnswers> KEY = LostAnswers.class;

    /** The service has worked on the request, and does not say how far. */
    private static final int INTERNAL_ERROR = 500;

    /** The same call, which sets a mark as soon as the answer to one of its tries is lost. */
    static <T> Mono<T> marked(Mono<T> call, AtomicBoolean mark) {
        return call.contextWrite(context -> context.put(KEY, mark));
    }

    @Override
    public Mono<HttpResponse> process(HttpPipelineCallContext call, HttpPipelineNextPolicy next) {
        return Mono.deferContextual(context -> {
            @Nullable AtomicBoolean mark = context.getOrDefault(KEY, null);
            if (mark == null) {
                return next.process();
            }
            return next.process()
                    .doOnNext(answer -> {
                        if (answer.getStatusCode() == INTERNAL_ERROR) {
                            mark.set(true);
                        }
                    })
                    .doFinally(end -> {
                        if (end != SignalType.ON_COMPLETE) {
                            mark.set(true);
                        }
                    });
        });
    }
}
