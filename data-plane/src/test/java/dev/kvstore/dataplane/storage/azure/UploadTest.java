package dev.kvstore.dataplane.storage.azure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.kvstore.dataplane.storage.StoredContents;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;

class UploadTest {
    @ParameterizedTest
    @EnumSource
    void sendsItsContentFromTheBeginningToEverySubscriber(Transport transport) {
        ByteBuffer content = StoredContents.random(1, 600_000);
        Flux<ByteBuffer> chunks = Upload.of(content, transport).chunks();

        assertThat(joined(chunks)).isEqualTo(content);
        assertThat(joined(chunks)).isEqualTo(content);
    }

    @Test
    void handsOurClientTheContentItself() {
        ByteBuffer content = StoredContents.random(1, 600_000);
        List<ByteBuffer> chunks = requireNonNull(
                Upload.of(content, Transport.NETTY).chunks().collectList().block());

        content.put(0, new byte[600_000]);

        assertThat(chunks).allSatisfy(chunk -> assertThat(chunk).isEqualTo(ByteBuffer.allocate(chunk.remaining())));
    }

    @Test
    void doesNotTouchWhatItCopiesOnceClosed() {
        ByteBuffer content = StoredContents.random(1, 200_000);
        Upload upload = Upload.of(content, Transport.JDK);
        Iterator<ByteBuffer> chunks = upload.chunks().toIterable(1).iterator();
        ByteBuffer first = chunks.next();

        upload.close();
        content.put(0, new byte[200_000]);

        assertThat(first).isEqualTo(StoredContents.random(1, 200_000).slice(0, first.remaining()));
        assertThatIllegalStateException()
                .isThrownBy(() -> chunks.forEachRemaining(chunk -> assertThat(chunk)
                        .isEqualTo(StoredContents.random(1, 200_000).slice(first.remaining(), chunk.remaining()))));
    }

    private static ByteBuffer joined(Flux<ByteBuffer> chunks) {
        List<ByteBuffer> all = requireNonNull(chunks.collectList().block());
        ByteBuffer joined =
                ByteBuffer.allocate(all.stream().mapToInt(ByteBuffer::remaining).sum());
        all.forEach(joined::put);
        return joined.flip();
    }
}
