package dev.kvstore.client.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.protocol.control.v1.Level;
import dev.kvstore.protocol.control.v1.Route;
import dev.kvstore.protocol.control.v1.Target;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file of a kept route that is cut, too long, of another version or of another time: it is not used. */
class DamagedRouteTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final int VERSION_AT = 4;
    private static final int TIME_AT = 8;
    private static final int LENGTH_AT = 16;
    private static final int ROUTE_AT = 20;
    private static final Route ROUTE = Route.newBuilder()
            .setVersion("7")
            .addLevels(Level.newBuilder()
                    .setRegion("west")
                    .addTargets(Target.newBuilder().setProcess("p").setAddress("10.0.0.1:8085")))
            .build();

    @TempDir
    Path folder;

    private Path file;
    private byte[] good;

    @BeforeEach
    void keep() throws IOException {
        cache().save(ROUTE);
        try (var files = Files.list(folder)) {
            file = files.findFirst().orElseThrow();
        }
        good = Files.readAllBytes(file);
    }

    private RouteCache cache() {
        return new RouteCache(folder, List.of("a:1"), "demo", "west", () -> NOW);
    }

    private @Nullable Route loaded(byte[] content) throws IOException {
        Files.write(file, content);
        return cache().load();
    }

    /** The file with a change, and with the checksum that belongs to it. */
    private byte[] sealed(byte[] content, Consumer<ByteBuffer> change) {
        ByteBuffer bytes = ByteBuffer.wrap(content);
        change.accept(bytes);
        int end = content.length - Integer.BYTES;
        CRC32C crc = new CRC32C();
        crc.update(content, 0, end);
        bytes.putInt(end, (int) crc.getValue());
        return content;
    }

    @Test
    void aFileThatIsCutAtAnyByteIsNotUsed() throws IOException {
        for (int length = 0; length < good.length; length++) {
            assertThat(loaded(java.util.Arrays.copyOf(good, length)))
                    .as("%s bytes", length)
                    .isNull();
        }
    }

    @Test
    void aFileThatIsTooLongIsNotUsed() throws IOException {
        assertThat(loaded(java.util.Arrays.copyOf(good, good.length + 1))).isNull();
        assertThat(loaded(sealed(java.util.Arrays.copyOf(good, good.length + 3), bytes -> {})))
                .isNull();
    }

    @Test
    void noFlippedBitGoesUnnoticed() throws IOException {
        for (int bit = 0; bit < 8 * good.length; bit++) {
            byte[] bad = good.clone();
            bad[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(loaded(bad)).as("bit %s", bit).isNull();
        }
    }

    @Test
    void aFileOfAnotherKindOrVersionIsNotUsed() throws IOException {
        assertThat(loaded(sealed(good.clone(), bytes -> bytes.putInt(0, 1)))).isNull();
        assertThat(loaded(sealed(good.clone(), bytes -> bytes.putInt(VERSION_AT, 2))))
                .isNull();
    }

    @Test
    void aFileWithAnotherLengthThanItSaysIsNotUsed() throws IOException {
        int length = good.length - ROUTE_AT - Integer.BYTES;
        assertThat(loaded(sealed(good.clone(), bytes -> bytes.putInt(LENGTH_AT, length - 1))))
                .isNull();
        assertThat(loaded(sealed(good.clone(), bytes -> bytes.putInt(LENGTH_AT, -1))))
                .isNull();
        assertThat(loaded(sealed(good.clone(), bytes -> bytes.putInt(LENGTH_AT, length))))
                .isEqualTo(ROUTE);
    }

    @Test
    void bytesThatAreNoRouteAreNotUsed() throws IOException {
        assertThat(loaded(sealed(good.clone(), bytes -> bytes.put(ROUTE_AT, (byte) 0xFF))))
                .isNull();
    }

    @Test
    void aRouteOfTomorrowMayBeOfAClockThatRunsAheadAndOneOfLaterIsNotUsed() throws IOException {
        long tomorrow = NOW.plus(RouteCache.MOST_AGE).toEpochMilli();
        assertThat(loaded(sealed(good.clone(), bytes -> bytes.putLong(TIME_AT, tomorrow))))
                .isEqualTo(ROUTE);
        assertThat(loaded(sealed(good.clone(), bytes -> bytes.putLong(TIME_AT, tomorrow + 1))))
                .isNull();
    }

    @Test
    void aTimeBeyondAllClocksIsNotUsed() throws IOException {
        for (long time : new long[] {Long.MIN_VALUE, Long.MAX_VALUE, -1}) {
            assertThat(loaded(sealed(good.clone(), bytes -> bytes.putLong(TIME_AT, time))))
                    .isNull();
        }
    }

    @Test
    void aFileThatIsBeyondAnyRouteIsNotRead() throws IOException {
        Route endless = ROUTE.toBuilder().setVersion("x".repeat(16 << 20)).build();
        cache().save(endless);
        assertThat(Files.size(file)).isGreaterThan(16 << 20);

        assertThat(cache().load()).isNull();
    }

    @Test
    void aFolderInThePlaceOfTheFileIsNotUsedAndNotReplaced() throws IOException {
        Files.delete(file);
        Files.createDirectory(file);
        Files.createFile(file.resolve("something"));

        assertThat(cache().load()).isNull();
        cache().save(ROUTE);

        assertThat(file.resolve("something")).exists();
        try (var files = Files.list(folder)) {
            assertThat(files).as("no temporary file is left").containsExactly(file);
        }
    }

    @Test
    void theNextRouteReplacesADamagedFile() throws IOException {
        Files.write(file, new byte[] {1, 2, 3});

        cache().save(ROUTE);

        assertThat(Files.readAllBytes(file)).isEqualTo(good);
    }
}
