package dev.kvstore.dataplane.presence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.logging.Level;
import java.util.logging.Logger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;

/**
 * Compares the stored blocks with the answers of every process, however processes write, ask, hear late answers, evict
 * partitions, stop, die and start again, and whatever happens to blocks, snapshots and storage's answers meanwhile.
 */
final class PresenceModelTest {
    private static final int SECONDS = 150;

    // The log would say some 10,000 times that a process died or storage failed.
    private static final Logger LOG = Logger.getLogger(PresenceModelTest.class.getPackageName());

    static {
        LOG.setLevel(Level.OFF);
    }

    @Tag("slow")
    @Property(tries = 300, shrinking = ShrinkingMode.OFF)
    void noBlockThatIsStoredIsDenied(@ForAll long seed) throws Exception {
        run(seed);
    }

    @Tag("full")
    @Property(tries = 10_000, shrinking = ShrinkingMode.OFF)
    void noBlockThatIsStoredIsDeniedInManyMoreHistories(@ForAll long seed) throws Exception {
        run(seed);
    }

    private static void run(long seed) throws Exception {
        Random random = new Random(seed);
        PresenceModel model = new PresenceModel(random);
        for (int second = 0; second < SECONDS; second++) {
            model.tick();
            for (int node = 0; node < PresenceModel.NODES; node++) {
                model.act(node);
            }
            model.mishap();
            assertThat(model.denied()).as("seed %d, second %d", seed, second).isEmpty();
        }
        assertThat(model.memoryInUse()).isZero();
    }
}
