package dev.kvstore.dataplane.storage.azure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.kvstore.dataplane.storage.Bytes;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

class UploadTest {
    @Test
    void sendsItsContentFromTheBeginningToEverySubscriber() {
        ByteBuffer content = Bytes.random(1, 200_000);
        Flux<ByteBuffer> chunks = new Upload(content).chunks();

        assertThat(joined(chunks)).isEqualTo(content);
        assertThat(joined(chunks)).isEqualTo(content);
    }

    @Test
    void doesNotTouchItsContentOnceClosed() {
        ByteBuffer content = Bytes.random(1, 200_000);
        Upload upload = new Upload(content);
        Iterator<ByteBuffer> chunks = upload.chunks().toIterable(1).iterator();
        ByteBuffer first = chunks.next();

        upload.close();
        content.put(0, new byte[200_000]);

        assertThat(first).isEqualTo(Bytes.random(1, 200_000).slice(0, first.remaining()));
        assertThatIllegalStateException()
                .isThrownBy(() -> chunks.forEachRemaining(chunk -> assertThat(chunk)
                        .isEqualTo(Bytes.random(1, 200_000).slice(first.remaining(), chunk.remaining()))));
    }

    private static ByteBuffer joined(Flux<ByteBuffer> chunks) {
        List<ByteBuffer> all = requireNonNull(chunks.collectList().block());
        ByteBuffer joined =
                ByteBuffer.allocate(all.stream().mapToInt(ByteBuffer::remaining).sum());
        all.forEach(joined::put);
        return joined.flip();
    }
}
