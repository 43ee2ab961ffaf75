package dev.kvstore.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

class IoReasonTest {
    @Test
    void saysInWordsWhatAnExceptionSaysByItsClass() {
        assertThat(IoReason.of(new NoSuchFileException("/a"))).isEqualTo("no such file or folder");
        assertThat(IoReason.withFile(new AccessDeniedException("/a"))).isEqualTo("/a: permission denied");
    }

    @Test
    void saysWhatTheSystemSaid() {
        IOException failure = new FileSystemException("/a", null, "No space left on device");

        assertThat(IoReason.of(failure)).isEqualTo("no space left on device");
        assertThat(IoReason.withFile(failure)).isEqualTo("/a: no space left on device");
    }

    @Test
    void saysAMessageAsItIs() {
        assertThat(IoReason.withFile(new IOException("npm ci failed"))).isEqualTo("npm ci failed");
    }

    @Test
    void saysSomethingOfAFailureWithoutAMessage() {
        assertThat(IoReason.of(new IOException())).isEqualTo("input or output failed");
    }
}
