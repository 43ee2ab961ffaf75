package dev.kvstore.benchmark.peers.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The work of callers is counted, and any end of one caller ends the measurement. */
class LoadThreadsTest {
    private final AtomicBoolean closed = new AtomicBoolean();

    /** A load whose callers all do the same. */
    private record SameLoad(LoadClient caller) implements PeerLoad {
        @Override
        public LoadClient caller(PeerOperation operation) {
            return caller;
        }

        @Override
        public void verify(PeerOperation operation) {}

        @Override
        public void close() {}
    }

    private LoadMeasurement run(PeerLoad.LoadClient caller) throws Exception {
        return new LoadThreads(new SameLoad(caller), ProcessHandle.current().pid())
                .run(PeerOperation.READ, 3, Duration.ZERO, Duration.ofMillis(50));
    }

    @Test
    void countsWhatAllOfThemDo() throws Exception {
        LoadMeasurement measurement = run(bytes -> bytes.add(7));

        assertThat(measurement.bytes()).isPositive();
        assertThat(measurement.bytes() % 7).isZero();
        assertThat(measurement.seconds()).isGreaterThanOrEqualTo(0.05);
    }

    @ParameterizedTest
    @ValueSource(classes = {BadBlockException.class, EOFException.class, OutOfMemoryError.class})
    void whateverEndsACallerIsTold(Class<? extends Throwable> end) throws Exception {
        Throwable failure = end.getConstructor(String.class).newInstance("block 3 is missing");

        assertThatThrownBy(() -> run(_ -> sneak(failure)))
                .isInstanceOf(IllegalStateException.class)
                .hasCause(failure);
    }

    @Test
    void callersAreClosed() throws Exception {
        var _ = run(new PeerLoad.LoadClient() {
            @Override
            public void once(LongAdder bytes) {
                bytes.increment();
            }

            @Override
            public void close() {
                closed.set(true);
            }
        });

        assertThat(closed).isTrue();
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> void sneak(Throwable failure) throws T {
        throw (T) failure;
    }
}
