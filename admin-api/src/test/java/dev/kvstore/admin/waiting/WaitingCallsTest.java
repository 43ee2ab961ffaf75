package dev.kvstore.admin.waiting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.caller.Role;
import dev.kvstore.admin.problem.ProblemException;
import io.quarkus.runtime.ShutdownEvent;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class WaitingCallsTest {
    private static final Caller CALLER = new Caller("ann", Role.TENANT_ADMIN, "acme");
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration NEVER = Duration.ofDays(1);

    private final AtomicInteger value = new AtomicInteger();
    private final CountDownLatch read = new CountDownLatch(1);

    private static WaitingCalls calls(int most, Duration readAgain, LongSupplier nanos) {
        return new WaitingCalls(new PartyPlaces(most, most), readAgain, nanos);
    }

    /** A call in a thread of its own, which waits for the value 1 and has read once. */
    private CompletableFuture<Integer> waiting(WaitingCalls calls, String subject) throws InterruptedException {
        CompletableFuture<Integer> answer = new CompletableFuture<>();
        var _ = Thread.startVirtualThread(() -> answer.complete(calls.until(
                CALLER,
                subject,
                MINUTE,
                () -> {
                    int now = value.get();
                    read.countDown();
                    return now;
                },
                now -> now == 1)));
        assertThat(read.await(60, TimeUnit.SECONDS)).isTrue();
        return answer;
    }

    @Test
    void oneIsAnsweredAtOnceIfItNeedNotWait() {
        WaitingCalls calls = calls(1, NEVER, System::nanoTime);

        assertThat(calls.until(CALLER, "a", MINUTE, () -> 1, now -> now == 1)).isEqualTo(1);
        assertThat(calls.until(CALLER, "a", Duration.ZERO, () -> 2, now -> now == 1))
                .isEqualTo(2);
        assertThat(calls.waiting()).isZero();
    }

    @Test
    void oneReadsAgainWhenItIsWoken() throws Exception {
        WaitingCalls calls = calls(1, NEVER, System::nanoTime);
        CompletableFuture<Integer> answer = waiting(calls, "a");
        calls.wake(Set.of("b"));
        value.set(1);

        calls.wake(Set.of("a", "b"));

        assertThat(answer.get(60, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(calls.waiting()).isZero();
    }

    @Test
    void allReadAgainWhenItIsNotKnownWhatChanged() throws Exception {
        WaitingCalls calls = calls(1, NEVER, System::nanoTime);
        CompletableFuture<Integer> answer = waiting(calls, "a");
        value.set(1);

        calls.wakeAll();

        assertThat(answer.get(60, TimeUnit.SECONDS)).isEqualTo(1);
    }

    @Test
    void oneReadsNowAndThenIfNobodyWakesIt() throws Exception {
        WaitingCalls calls = calls(1, Duration.ofMillis(1), System::nanoTime);
        CompletableFuture<Integer> answer = waiting(calls, "a");

        value.set(1);

        assertThat(answer.get(60, TimeUnit.SECONDS)).isEqualTo(1);
    }

    @Test
    void oneIsAnsweredWithWhatIsThereWhenItsTimeIsOver() {
        AtomicLong clock = new AtomicLong();
        WaitingCalls calls = calls(1, Duration.ofMillis(1), () -> clock.getAndAdd(10_000_000_000L));

        assertThat(calls.until(CALLER, "a", MINUTE, value::incrementAndGet, now -> false))
                .isEqualTo(6);
    }

    @Test
    void beyondTheMostTheyAreRefusedUntilOneIsAnswered() throws Exception {
        WaitingCalls calls = calls(1, NEVER, System::nanoTime);
        CompletableFuture<Integer> answer = waiting(calls, "a");

        assertThatThrownBy(() -> calls.until(CALLER, "b", MINUTE, () -> 1, now -> true))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        e -> assertThat(e.problem().status()).isEqualTo(503));
        assertThat(calls.until(CALLER, "b", Duration.ZERO, () -> 1, now -> true))
                .isEqualTo(1);

        value.set(1);
        calls.wakeAll();
        assertThat(answer.get(60, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(calls.until(CALLER, "b", MINUTE, () -> 1, now -> true)).isEqualTo(1);
    }

    @Test
    void oneThatFailsGivesItsPlaceBack() {
        WaitingCalls calls = calls(1, NEVER, System::nanoTime);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> calls.until(
                            CALLER,
                            "a",
                            MINUTE,
                            () -> {
                                throw ProblemException.notFound("account", "a");
                            },
                            now -> true))
                    .isInstanceOfSatisfying(
                            ProblemException.class,
                            e -> assertThat(e.problem().status()).isEqualTo(404));
        }
        assertThat(calls.waiting()).isZero();
    }

    @Test
    void allAreAnsweredWhenTheServerStops() throws Exception {
        WaitingCalls calls = calls(1, NEVER, System::nanoTime);
        CompletableFuture<Integer> answer = waiting(calls, "a");

        calls.stop(new ShutdownEvent());

        assertThat(answer.get(60, TimeUnit.SECONDS)).isZero();
    }

    @ParameterizedTest
    @CsvSource({"1s, 1", "9s, 9", "30s, 30", "60s, 60"})
    void aTimeIs1To60Seconds(String text, long seconds) {
        assertThat(WaitTime.of(text)).isEqualTo(Duration.ofSeconds(seconds));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0s", "61s", "30", "1m", "-1s", "01s", "1.5s", " 1s", "1s\n", "999999999999s"})
    void nothingElseIsATime(String text) {
        assertThatThrownBy(() -> WaitTime.of(text)).isInstanceOf(ProblemException.class);
    }
}
