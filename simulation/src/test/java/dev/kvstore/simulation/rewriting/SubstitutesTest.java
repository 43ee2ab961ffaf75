package dev.kvstore.simulation.rewriting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;

final class SubstitutesTest {
    private static final String SEMAPHORE = "java/util/concurrent/Semaphore";
    private static final String TIMED = "(JLjava/util/concurrent/TimeUnit;)Z";

    private final Substitutes substitutes = new Substitutes();

    @Test
    void aWaitThatEndsByItselfIsLedToTheWorld() {
        Substitutes.Substitute wait = Objects.requireNonNull(substitutes.of(SEMAPHORE, "tryAcquire", TIMED, false));

        assertThat(wait.owner()).isEqualTo("dev/kvstore/simulation/world/Waits");
        assertThat(wait.descriptor()).isEqualTo(TIMED.replace("(", "(L" + SEMAPHORE + ";"));
    }

    @Test
    void andSoIsTheSameWaitOfASubclass() {
        String get = "(JLjava/util/concurrent/TimeUnit;)Ljava/lang/Object;";

        assertThat(substitutes.of("java/util/concurrent/CompletableFuture", "get", get, false))
                .isNotNull();
    }

    @Test
    void aWaitWithoutAnEndIsLeftAsItIs() {
        assertThat(substitutes.of(SEMAPHORE, "acquire", "()V", false)).isNull();
    }

    @Test
    void aMethodOfTheProductIsLeftAsItIs() {
        assertThat(substitutes.of("dev/kvstore/Some", "nanoTime", "()J", true)).isNull();
    }
}
