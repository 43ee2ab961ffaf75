package dev.kvstore.benchmark.replay;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvstore.benchmark.trace.GeneratedTrace;
import dev.kvstore.benchmark.trace.Survey;
import org.junit.jupiter.api.Test;

final class NumberedTraceTest {
    @Test
    void moreThanFitsInMemoryIsRefusedWithTheWayOut() {
        Survey survey = new Survey("trace large.jsonl", 1_000_000_000, Long.MAX_VALUE, 1, 0);

        assertThatThrownBy(() -> NumberedTrace.read(new GeneratedTrace(1), survey))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(" blocks are more than the ")
                .hasMessageContaining("use a part of them with --requests N");
    }
}
