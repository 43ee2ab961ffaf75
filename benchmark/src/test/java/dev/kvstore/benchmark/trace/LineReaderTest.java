package dev.kvstore.benchmark.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class LineReaderTest {
    @Property(tries = 100)
    void linesComeOutAsTheyWentIn(
            @ForAll @Size(max = 20) List<@IntRange(max = 150_000) Integer> lengths, @ForAll boolean endsWithLineEnd)
            throws IOException {
        List<String> lines = new ArrayList<>();
        for (int length : lengths) {
            lines.add(Integer.toString(lines.size() % 10).repeat(length));
        }
        lines.add("last");

        List<String> read = read(String.join("\n", lines) + (endsWithLineEnd ? "\n" : ""));

        assertThat(read.equals(lines)).isTrue();
    }

    @Test
    void aLineThatIsTooLongIsPassedOver() throws IOException {
        try (LineReader lines =
                lines("short\n" + "x".repeat(LineReader.MOST_BYTES + 1) + "\n" + "y".repeat(LineReader.MOST_BYTES))) {
            assertThat(lines.next()).isTrue();
            assertThat(lines.isTooLong()).isFalse();
            assertThat(lines.next()).isTrue();
            assertThat(lines.isTooLong()).isTrue();
            assertThat(lines.bytes().length).isLessThanOrEqualTo(2 * LineReader.MOST_BYTES);
            assertThat(lines.next()).isTrue();
            assertThat(lines.isTooLong()).isFalse();
            assertThat(lines.length()).isEqualTo(LineReader.MOST_BYTES);
            assertThat(lines.number()).isEqualTo(3);
            assertThat(lines.next()).isFalse();
        }
    }

    private static List<String> read(String text) throws IOException {
        List<String> read = new ArrayList<>();
        try (LineReader lines = lines(text)) {
            while (lines.next()) {
                read.add(new String(lines.bytes(), 0, lines.length(), StandardCharsets.UTF_8));
                assertThat(lines.number()).isEqualTo(read.size());
            }
        }
        return read;
    }

    private static LineReader lines(String text) {
        return new LineReader(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }
}
