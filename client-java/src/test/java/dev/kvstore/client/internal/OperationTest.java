package dev.kvstore.client.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.RetryOptions;
import dev.kvstore.client.internal.FakeTransport.TransportCall;
import dev.kvstore.protocol.v1.LookupRequest;
import dev.kvstore.protocol.v1.LookupResponse;
import dev.kvstore.protocol.wire.KvStoreMethods.ClientMethods;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The attempts of an operation: how many there are, where they go, what they cost and when they end. */
class OperationTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static RetryOptions attempts(int most, int burst) {
        return new RetryOptions(most, SECOND, SECOND, 0, burst);
    }

    /** An attempt whose call the data plane ends so. */
    private static Attempt ended(FakeProcesses processes, Operation operation, Status status, boolean answered)
            throws InterruptedException {
        Attempt attempt = operation.begin();
        ClientCall<LookupRequest, LookupResponse> call = attempt.call(ClientMethods.LOOKUP);
        call.start(new ClientCall.Listener<>() {}, new Metadata());
        TransportCall<LookupRequest, LookupResponse> transport = processes.next(ClientMethods.LOOKUP);
        if (answered) {
            transport.answer(LookupResponse.getDefaultInstance());
        }
        transport.end(status);
        return attempt;
    }

    private static KvStoreException failure(ErrorCode code, @Nullable Duration hint) {
        return new KvStoreException(code, "as the test wants it", List.of(), hint);
    }

    private static KvStoreException away() {
        return failure(ErrorCode.UNAVAILABLE, null);
    }

    @Test
    void anUnreachedProcessIsLeftAtOnceForEachOtherOneThoughTheBudgetIsEmpty() throws Exception {
        FakeProcesses processes = new FakeProcesses(attempts(2, 0), "a:1", "b:1", "c:1", "d:1");
        Operation operation = processes.operation(MINUTE);
        Set<Endpoint> tried = new HashSet<>();
        for (int i = 0; i < 4; i++) {
            Attempt attempt = ended(processes, operation, Status.UNAVAILABLE, false);
            assertThat(tried.add(attempt.endpoint())).as("each once").isTrue();
            if (i < 3) {
                operation.retryOrThrow(attempt, away());
            } else {
                assertThatThrownBy(() -> operation.retryOrThrow(attempt, away()))
                        .hasMessageContaining("UNAVAILABLE");
            }
        }
        assertThat(processes.counters().retries()).isEqualTo(3);
        assertThat(operation.left()).as("without a pause").isEqualTo(MINUTE);
    }

    @Test
    void anUnreachedProcessIsNoAttempt() throws Exception {
        FakeProcesses processes = new FakeProcesses(attempts(2, 5), "a:1", "b:1");
        Operation operation = processes.operation(MINUTE);
        operation.retryOrThrow(ended(processes, operation, Status.UNAVAILABLE, false), away());

        operation.retryOrThrow(
                ended(processes, operation, Status.RESOURCE_EXHAUSTED, false),
                failure(ErrorCode.RESOURCE_EXHAUSTED, null));

        assertThat(processes.counters().retries()).isEqualTo(2);
    }

    @Test
    void aProcessThatBreaksAfterAnAnswerCountsAsAnAttempt() throws Exception {
        FakeProcesses processes = new FakeProcesses(attempts(2, 0), "a:1", "b:1", "c:1", "d:1");
        Operation operation = processes.operation(MINUTE);
        operation.retryOrThrow(ended(processes, operation, Status.UNAVAILABLE, true), away());
        Attempt second = ended(processes, operation, Status.UNAVAILABLE, true);

        assertThatThrownBy(() -> operation.retryOrThrow(second, away())).hasMessageContaining("UNAVAILABLE");

        assertThat(processes.counters().retries()).isEqualTo(1);
    }

    @Test
    void anOverloadIsPaidForThoughOthersAreThere() throws Exception {
        FakeProcesses processes = new FakeProcesses(attempts(20, 2), "a:1", "b:1", "c:1", "d:1");
        Operation operation = processes.operation(MINUTE);
        for (int i = 0; i < 2; i++) {
            operation.retryOrThrow(
                    ended(processes, operation, Status.RESOURCE_EXHAUSTED, false),
                    failure(ErrorCode.RESOURCE_EXHAUSTED, null));
        }
        Attempt third = ended(processes, operation, Status.RESOURCE_EXHAUSTED, false);

        assertThatThrownBy(() -> operation.retryOrThrow(third, failure(ErrorCode.RESOURCE_EXHAUSTED, null)))
                .hasMessageContaining("RESOURCE_EXHAUSTED");

        assertThat(processes.counters().retries()).isEqualTo(2);
    }

    @Test
    void aProcessThatAsksForTimeGetsIt() throws Exception {
        FakeProcesses processes = new FakeProcesses(attempts(2, 5), "a:1", "b:1");
        Operation operation = processes.operation(MINUTE);

        operation.retryOrThrow(
                ended(processes, operation, Status.UNAVAILABLE, false), failure(ErrorCode.UNAVAILABLE, SECOND));

        assertThat(MINUTE.minus(operation.left())).isBetween(SECOND, Duration.ofMillis(1200));
    }

    @Test
    void aPauseThatOutlastsTheDeadlineIsNotMadeAndNotCounted() throws Exception {
        FakeProcesses processes = new FakeProcesses(attempts(5, 5), "a:1");
        Operation operation = processes.operation(SECOND);
        Attempt attempt = ended(processes, operation, Status.UNAVAILABLE, false);

        assertThatThrownBy(() -> operation.retryOrThrow(attempt, failure(ErrorCode.UNAVAILABLE, SECOND)))
                .hasMessageContaining("UNAVAILABLE");

        assertThat(processes.counters().retries()).isZero();
        assertThat(operation.left()).isEqualTo(SECOND);
    }

    @Test
    void noAttemptBeginsAtTheDeadline() {
        FakeProcesses processes = new FakeProcesses(attempts(5, 5), "a:1");
        Operation operation = processes.operation(SECOND);
        processes.pass(SECOND.minusNanos(1));
        operation.begin().abandoned();

        processes.pass(Duration.ofNanos(1));

        assertThat(catchThrowableOfType(KvStoreException.class, operation::begin)
                        .code())
                .isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
        assertThat(processes.underWay()).isZero();
    }

    @Test
    void onceAllWereTriedAllMayBeTriedAgain() throws Exception {
        FakeProcesses processes = new FakeProcesses(attempts(20, 20), "a:1", "b:1");
        Operation operation = processes.operation(MINUTE);
        Set<Endpoint> tried = new HashSet<>();
        for (int i = 0; i < 4; i++) {
            if (i == 2) {
                assertThat(tried).hasSize(2);
                tried.clear();
            }
            Attempt attempt = ended(processes, operation, Status.RESOURCE_EXHAUSTED, false);
            tried.add(attempt.endpoint());
            operation.retryOrThrow(attempt, failure(ErrorCode.RESOURCE_EXHAUSTED, null));
        }
        assertThat(tried).hasSize(2);
    }

    @Test
    void progressCountsAttemptsAnew() throws Exception {
        FakeProcesses processes = new FakeProcesses(attempts(2, 20), "a:1");
        Operation operation = processes.operation(MINUTE);
        for (int i = 0; i < 10; i++) {
            operation.retryOrThrow(
                    ended(processes, operation, Status.RESOURCE_EXHAUSTED, true),
                    failure(ErrorCode.RESOURCE_EXHAUSTED, null));
            operation.progressed();
        }
        assertThat(processes.counters().retries()).isEqualTo(10);
    }

    @Test
    void eachOperationPaysItsShareIntoTheBudget() throws Exception {
        FakeProcesses processes = new FakeProcesses(new RetryOptions(20, SECOND, SECOND, 50, 0), "a:1");
        Operation first = processes.operation(MINUTE);
        Attempt unpaid = ended(processes, first, Status.RESOURCE_EXHAUSTED, false);
        assertThatThrownBy(() -> first.retryOrThrow(unpaid, failure(ErrorCode.RESOURCE_EXHAUSTED, null)))
                .hasMessageContaining("RESOURCE_EXHAUSTED");

        Operation second = processes.operation(MINUTE);
        second.retryOrThrow(
                ended(processes, second, Status.RESOURCE_EXHAUSTED, false),
                failure(ErrorCode.RESOURCE_EXHAUSTED, null));

        assertThat(processes.counters().retries()).isEqualTo(1);
    }

    @Test
    void aRetryOfAClosedClientIsCancelledAndAFinalFailureIsItself() throws Exception {
        FakeProcesses processes = new FakeProcesses(attempts(5, 5), "a:1");
        Operation operation = processes.operation(MINUTE);
        Attempt retryable = ended(processes, operation, Status.UNAVAILABLE, false);
        Attempt done = ended(processes, operation, Status.DATA_LOSS, false);
        processes.close();

        assertThatThrownBy(() -> operation.retryOrThrow(retryable, away())).hasMessageContaining("client is closed");
        assertThatThrownBy(() -> operation.retryOrThrow(done, failure(ErrorCode.DATA_LOSS, null)))
                .hasMessageContaining("DATA_LOSS");
        assertThatThrownBy(operation::begin).hasMessageContaining("client is closed");
    }
}
