package dev.kvstore.benchmark.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts of users, as editors, compressors and Git leave them. */
class UserFileTest {
    private static final String MARK = "\ufeff";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private String read(byte[] bytes) throws IOException {
        try (InputStream in = UserFile.open(Files.write(folder.resolve("text"), bytes))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static byte[] packed(String text) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return packed.toByteArray();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "version", "{\"größe\": 1}\r\n{}\n"})
    void aTextIsTheSamePlainPackedAndBehindAByteOrderMark(String text) throws IOException {
        assertThat(read(text.getBytes(StandardCharsets.UTF_8))).isEqualTo(text);
        assertThat(read((MARK + text).getBytes(StandardCharsets.UTF_8))).isEqualTo(text);
        assertThat(read(packed(text))).isEqualTo(text);
        assertThat(read(packed(MARK + text))).isEqualTo(text);
    }

    @Test
    void aPointerOfGitLfsIsNotTakenForTheText() {
        byte[] pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"
                .getBytes(StandardCharsets.US_ASCII);

        assertThatThrownBy(() -> read(pointer))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("text is a pointer of Git LFS, not the text: get the text by git lfs pull");
    }
}
