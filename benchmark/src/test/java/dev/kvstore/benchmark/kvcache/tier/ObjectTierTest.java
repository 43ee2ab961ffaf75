package dev.kvstore.benchmark.kvcache.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpPipelineNextSyncPolicy;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.util.BinaryData;
import com.azure.core.util.Configuration;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.common.policy.RequestRetryOptions;
import com.azure.storage.common.policy.RetryPolicyType;
import dev.kvstore.launcher.azurite.Azurite;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Blobs in Azurite. */
@Tag("slow")
class ObjectTierTest extends TierContract {
    @SuppressWarnings("NullAway.Init")
    private static Azurite azurite;

    @SuppressWarnings("NullAway.Init")
    private static BlobContainerClient container;

    private final Scratch memory = new Scratch();
    private final EntryBytes blob = new EntryBytes(7, NoiseContent.seed("a"), 100_000);

    @BeforeAll
    static void startAzurite() throws IOException, InterruptedException {
        azurite = Azurite.inMemory();
        container = new BlobServiceClientBuilder()
                .connectionString(azurite.connectionString())
                .configuration(Configuration.NONE)
                .buildClient()
                .createBlobContainer("tiers");
    }

    @AfterAll
    static void stopAzurite() {
        azurite.close();
    }

    @Override
    Tier open(NoiseContent content) {
        return new ObjectTier(container, "contract/", content);
    }

    /** As somebody else would change it. */
    private void replace(byte[] bytes) {
        container.getBlobClient("own/7").upload(BinaryData.fromBytes(bytes), true);
    }

    private byte[] written(ObjectTier tier) throws IOException {
        tier.write(blob, memory, _ -> {});
        return container.getBlobClient("own/7").downloadContent().toBytes();
    }

    private IOException failure(ObjectTier tier) {
        try {
            tier.read(blob, memory, true, _ -> {});
        } catch (IOException e) {
            return e;
        }
        throw new AssertionError("it was read");
    }

    @Test
    void noticesAPageThatChanged() throws IOException {
        try (ObjectTier tier = new ObjectTier(container, "own/", new NoiseContent(1))) {
            byte[] bytes = written(tier);
            bytes[8_192] ^= 1;
            replace(bytes);

            assertThat(failure(tier))
                    .isInstanceOf(DamageException.class)
                    .hasMessage("entry 7 was read with wrong bytes at 8192");
        }
    }

    @Test
    void noticesAnEntryThatIsShorter() throws IOException {
        try (ObjectTier tier = new ObjectTier(container, "own/", new NoiseContent(1))) {
            byte[] bytes = written(tier);
            replace(Arrays.copyOf(bytes, 50_000));

            assertThat(failure(tier)).isInstanceOf(DamageException.class).hasMessageEndingWith(" at 50000");
        }
    }

    @Test
    void noticesAnEntryThatTheStoreDropped() throws IOException {
        try (ObjectTier tier = new ObjectTier(container, "own/", new NoiseContent(1))) {
            written(tier);
            container.getBlobClient("own/7").delete();

            assertThat(failure(tier)).hasMessage("entry 7 is not there any more: the store dropped it");
        }
    }

    /** Beyond 64 MiB it is written in blocks. */
    @Test
    void givesBackAnEntryThatWasWrittenInBlocks() throws IOException {
        try (ObjectTier tier = new ObjectTier(container, "own/", new NoiseContent(1))) {
            EntryBytes large = new EntryBytes(8, NoiseContent.seed("b"), (65L << 20) + 5);
            tier.write(large, memory, _ -> {});

            assertThat(tier.read(large, memory, true, _ -> {}).device()).isPositive();
        }
    }

    @Test
    void leavesNothingBehind() throws IOException {
        try (ObjectTier tier = new ObjectTier(container, "left/", new NoiseContent(1))) {
            tier.write(blob, memory, _ -> {});
        }

        assertThat(container.listBlobs().stream().map(BlobItem::getName)).noneMatch(name -> name.startsWith("left/"));
    }

    @Test
    void aStoreThatIsAwayIsAnError() throws IOException, InterruptedException {
        Azurite other = Azurite.inMemory();
        BlobContainerClient away = new BlobServiceClientBuilder()
                .connectionString(other.connectionString())
                .configuration(Configuration.NONE)
                .retryOptions(new RequestRetryOptions(RetryPolicyType.FIXED, 1, 5, null, null, null))
                .buildClient()
                .createBlobContainer("away");
        other.close();

        assertThatIOException()
                .isThrownBy(() -> new ObjectTier(away, "own/", new NoiseContent(1)).write(blob, memory, _ -> {}))
                .withMessageStartingWith("entry 7 cannot be written: ");
    }

    /** Sends a request whole, and loses the answer to the first one. */
    private static final class AnswerLost implements HttpPipelinePolicy {
        private final AtomicInteger requests = new AtomicInteger();

        private IOException lost() {
            return new IOException("the answer is lost");
        }

        @Override
        public Mono<HttpResponse> process(HttpPipelineCallContext call, HttpPipelineNextPolicy next) {
            Mono<HttpResponse> answer = next.process();
            return requests.incrementAndGet() == 1 ? answer.flatMap(_ -> Mono.error(lost())) : answer;
        }

        @Override
        public HttpResponse processSync(HttpPipelineCallContext call, HttpPipelineNextSyncPolicy next) {
            HttpResponse answer = next.processSync();
            if (requests.incrementAndGet() == 1) {
                throw new UncheckedIOException(lost());
            }
            return answer;
        }
    }

    @Test
    void anUploadThatIsRepeatedSendsTheSameBytes() throws IOException {
        AnswerLost lost = new AnswerLost();
        BlobContainerClient unsteady = new BlobServiceClientBuilder()
                .connectionString(azurite.connectionString())
                .configuration(Configuration.NONE)
                .retryOptions(new RequestRetryOptions(RetryPolicyType.FIXED, 3, 30, 1L, 1L, null))
                .addPolicy(lost)
                .buildClient()
                .getBlobContainerClient("tiers");
        ObjectTier tier = new ObjectTier(unsteady, "unsteady/", new NoiseContent(1));

        tier.write(blob, memory, _ -> {});

        assertThat(lost.requests.get()).isEqualTo(2);
        tier.read(blob, memory, true, _ -> {});
    }
}
