package dev.kvstore.dataplane.presence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kvstore.dataplane.presence.log.Log;
import dev.kvstore.dataplane.presence.snapshot.Sealed;
import dev.kvstore.dataplane.presence.snapshot.UnreadableException;
import dev.kvstore.protocol.format.Crc32c;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Logs as they lie in storage. */
final class EncodingTest {
    @Property(tries = 200)
    void aLogIsTheSameAfterBeingWrittenAndRead(
            @ForAll long beat, @ForAll boolean open, @ForAll @Size(max = 100) List<Long> keys) throws Exception {
        Log log = new Log(beat, open, keys);

        assertThat(Log.decode(log.encode())).isEqualTo(log);
    }

    @Property(tries = 500)
    void aFlippedBitIsNoticed(@ForAll @IntRange(max = 100_000) int position, @ForAll @IntRange(max = 7) int bit) {
        ByteBuffer log = flip(new Log(1, true, keys(100)).encode(), position, bit);

        assertThatExceptionOfType(UnreadableException.class)
                .isThrownBy(() -> Log.decode(log))
                .matches(e -> !e.isNewer());
    }

    private static ByteBuffer flip(ByteBuffer blob, int position, int bit) {
        int at = position % blob.limit();
        return blob.put(at, (byte) (blob.get(at) ^ (1 << bit)));
    }

    @Property(tries = 100)
    void whatIsCutShortIsNoticed(@ForAll @IntRange(max = 800) int length) {
        ByteBuffer blob = new Log(1, true, keys(100)).encode();

        assertThatExceptionOfType(UnreadableException.class)
                .isThrownBy(() -> Log.decode(blob.slice(0, Math.min(length, blob.limit() - 1))));
    }

    @Test
    void aVersionOfTheFutureIsToldFromDamage() {
        ByteBuffer blob = new Log(1, true, List.of()).encode().order(ByteOrder.LITTLE_ENDIAN);
        blob.putInt(4, 2);
        blob.putInt(blob.limit() - 4, Crc32c.of(blob.slice(0, blob.limit() - 4)));

        assertThatExceptionOfType(UnreadableException.class)
                .isThrownBy(() -> Log.decode(blob))
                .matches(UnreadableException::isNewer);
    }

    @Property(tries = 1000)
    void anyBytesAreALogOrRefused(
            @ForAll @Size(max = 200) byte[] body, @ForAll @IntRange(min = -1, max = 30) int keys) {
        ByteBuffer blob = ByteBuffer.allocate(8 + body.length + Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        blob.put("KVPL".getBytes(StandardCharsets.US_ASCII)).putInt(1).put(body);
        if (body.length >= 16) {
            blob.putInt(20, keys < 0 ? Integer.MIN_VALUE + body.length : keys);
        }
        Sealed.seal(blob);

        try {
            assertThat(Log.decode(blob).keys()).hasSize((body.length - 16) / Long.BYTES);
        } catch (UnreadableException e) {
            assertThat(e.isNewer()).isFalse();
        }
    }

    private static List<Long> keys(int count) {
        return LongStream.range(0, count)
                .map(i -> (i + 1) * 0x9E3779B97F4A7C15L)
                .boxed()
                .toList();
    }
}
