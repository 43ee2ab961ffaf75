package dev.kvstore.listener;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.protocol.tls.PemFile;
import dev.kvstore.protocol.tls.TlsFiles;
import dev.kvstore.testing.TestAuthority;
import dev.kvstore.testing.TestAuthority.Issued;
import io.netty.handler.ssl.ClientAuth;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Log lines about a certificate that is not renewed. */
final class ListenerTlsTest {
    private final Logger logger = Logger.getLogger(ListenerTls.class.getName());
    private final List<String> said = new ArrayList<>();
    private Instant now = Instant.now().plusSeconds(60); // certificates that are made later are valid, too

    private final Handler log = new Handler() {
        @Override
        public void publish(LogRecord line) {
            if (line.getLevel().intValue() >= Level.WARNING.intValue()) {
                said.add(java.text.MessageFormat.format(line.getMessage(), line.getParameters()));
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        logger.addHandler(log);
    }

    @AfterEach
    void leave() {
        logger.removeHandler(log);
    }

    @Test
    void aCertificateIsWarnedOfOnceBeforeItEndsAndOnceWhenItHas(@TempDir Path folder) throws Exception {
        Issued own = new TestAuthority(folder, "authority").issue("server");
        TlsFiles files =
                new TlsFiles(new PemFile("--tls-cert", own.chain()), new PemFile("--tls-key", own.key()), null);
        ListenerTls tls = new ListenerTls(files, List.of("TLSv1.3"), ClientAuth.NONE, () -> now);
        tls.poll();
        assertThat(said).isEmpty();

        for (int days : List.of(24, 1, 6, 1)) {
            now = now.plus(Duration.ofDays(days));
            tls.poll();
        }

        assertThat(said).hasSize(2);
        assertThat(said.getFirst()).contains("should have been renewed");
        assertThat(said.getLast()).contains("has ended").contains("--tls-cert").contains("no restart is needed");
    }
}
