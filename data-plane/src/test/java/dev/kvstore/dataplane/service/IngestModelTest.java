package dev.kvstore.dataplane.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.presence.Presence;
import java.util.Random;
import java.util.logging.Level;
import java.util.logging.Logger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;

/**
 * Two data planes write, read and look up the same blocks, with several contents, while blocks are lost in storage and
 * storage takes no logs for a while. A block that was acknowledged is found, and its bytes are those of storage.
 */
@Tag("slow")
final class IngestModelTest {
    private static final int SECONDS = 200;

    // The log would say thousands of times that storage failed.
    private static final Logger LOG = Logger.getLogger(Presence.class.getPackageName());

    static {
        LOG.setLevel(Level.OFF);
    }

    @Property(tries = 100, shrinking = ShrinkingMode.OFF)
    void whatIsAcknowledgedIsFoundAndServedAsItIsStored(@ForAll long seed) throws Exception {
        IngestModel model = new IngestModel(new Random(seed));
        for (int second = 0; second < SECONDS; second++) {
            model.act();
            assertThat(model.faults()).as("seed %d, second %d", seed, second).isEmpty();
        }
        model.close();
        assertThat(model.memoryInUse()).isZero();
    }
}
