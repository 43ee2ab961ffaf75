package dev.kvstore.dataplane.account.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FollowedTokenTest {
    @TempDir
    private Path folder;

    private Path file = Path.of("set-below");

    @BeforeEach
    void write() throws IOException {
        file = Files.writeString(folder.resolve("token"), "first\n");
    }

    private FollowedToken follow() {
        return FollowedToken.of(Optional.of(file), Map.of());
    }

    @Test
    void anotherTokenInTheFileIsPutToUseAndToldOfOnce() throws IOException {
        FollowedToken token = follow();
        AtomicInteger told = new AtomicInteger();
        token.whenRenewed(told::incrementAndGet);
        token.poll();
        assertThat(token.current()).isEqualTo(new JoinToken("first"));

        Files.writeString(file, "second\n");
        token.poll();
        token.poll();

        assertThat(token.current()).isEqualTo(new JoinToken("second"));
        assertThat(token.renewals()).isEqualTo(1);
        assertThat(told).hasValue(1);
    }

    @Test
    void aFileThatCannotBeUsedLeavesTheTokenOfBeforeAndCountsOnce() throws IOException {
        FollowedToken token = follow();

        Files.writeString(file, "");
        token.poll();
        token.poll();
        assertThat(token.failures()).isEqualTo(1);
        Files.delete(file);
        token.poll();

        assertThat(token.current()).isEqualTo(new JoinToken("first"));
        assertThat(token.failures()).isEqualTo(2);
        assertThat(token.renewals()).isZero();
    }

    @Test
    void oneOfTheEnvironmentIsNotFollowed() {
        FollowedToken token = FollowedToken.of(Optional.empty(), Map.of(JoinToken.VARIABLE, "given"));

        token.poll();

        assertThat(token.isFollowed()).isFalse();
        assertThat(token.current()).isEqualTo(new JoinToken("given"));
    }
}
