package dev.kvstore.client.internal.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.internal.Errors;
import dev.kvstore.testing.Patience;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** The moment at which a block's buffer belongs to the application again. */
class PendingBlockTest {
    private final KvStoreException failure = Errors.damaged("as the test wants it");

    /** 0 is a result of the server, 1 a withdrawal, 2 the pump's hold, 3 its release. */
    @Property(tries = 500)
    void aBufferIsGivenBackOnceAndNeverWhileItIsRead(@ForAll @Size(max = 12) List<@IntRange(max = 3) Integer> steps) {
        PendingBlock block = CompletionsTest.pending();
        boolean held = false;
        boolean decided = false;
        int settled = 0;
        for (int step : steps) {
            switch (step) {
                case 0 -> {
                    block.decide(null, decided ? new IllegalStateException("too late") : failure);
                    decided = true;
                }
                case 1 -> {
                    block.decide(null, failure);
                    decided = true;
                }
                case 2 -> {
                    held = block.hold();
                    assertThat(held).as("a decided block is not read").isEqualTo(!decided);
                }
                default -> {
                    block.letGo();
                    held = false;
                }
            }
            if (block.settle()) {
                settled++;
                assertThat(held).isFalse();
            }
            assertThat(settled).isLessThanOrEqualTo(decided ? 1 : 0);
        }
        block.letGo();
        settled += block.settle() ? 1 : 0;
        assertThat(settled).isEqualTo(decided ? 1 : 0);
        if (decided) {
            block.complete();
            assertThat(block.future())
                    .failsWithin(Patience.LIMIT)
                    .withThrowableThat()
                    .withCause(failure);
        }
    }
}
