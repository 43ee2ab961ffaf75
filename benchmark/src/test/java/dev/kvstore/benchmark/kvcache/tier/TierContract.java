package dev.kvstore.benchmark.kvcache.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The promises of tiers that hold bytes. */
abstract class TierContract {
    private final Scratch memory = new Scratch();

    @SuppressWarnings("NullAway.Init")
    private Tier tier;

    abstract Tier open(NoiseContent content) throws IOException;

    @BeforeEach
    void openTier() throws IOException {
        tier = open(new NoiseContent(1));
    }

    @AfterEach
    void closeTier() throws IOException {
        tier.close();
    }

    /** Sizes around a page, a chunk and a piece. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 15, 16, 4_095, 4_096, 4_097, (1 << 20) + 1, (4 << 20) - 1, 4 << 20, (8 << 20) + 5_000})
    void givesBackWhatItWasGiven(long bytes) throws IOException {
        EntryBytes blob = new EntryBytes(1, NoiseContent.seed("a"), bytes);
        tier.write(blob, memory, _ -> {});
        AtomicLong read = new AtomicLong();
        tier.read(blob, memory, true, read::addAndGet);

        assertThat(read).hasValue(bytes);
    }

    @Test
    void entriesDoNotMix() throws IOException {
        EntryBytes one = new EntryBytes(1, NoiseContent.seed("a"), 10_000);
        EntryBytes other = new EntryBytes(2, NoiseContent.seed("b"), 10_000);
        tier.write(one, memory, _ -> {});
        tier.write(other, memory, _ -> {});

        assertThatCode(() -> tier.read(one, memory, true, _ -> {})).doesNotThrowAnyException();
        assertThatIOException()
                .isThrownBy(() -> tier.read(new EntryBytes(1, NoiseContent.seed("b"), 10_000), memory, true, _ -> {}))
                .isInstanceOf(DamageException.class);
    }

    @Test
    void aDeletedEntryCannotBeRead() throws IOException {
        EntryBytes blob = new EntryBytes(1, 1, 10_000);
        tier.write(blob, memory, _ -> {});
        tier.delete(blob);

        assertThatIOException().isThrownBy(() -> tier.read(blob, memory, false, _ -> {}));
    }

    @Test
    void tellsOfEachByteThatItWrites() throws IOException {
        AtomicLong written = new AtomicLong();
        tier.write(new EntryBytes(1, 1, (8 << 20) + 1), memory, written::addAndGet);

        assertThat(written).hasValue((8 << 20) + 1);
    }
}
