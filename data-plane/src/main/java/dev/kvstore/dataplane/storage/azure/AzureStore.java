package dev.kvstore.dataplane.storage.azure;

import com.azure.core.http.rest.PagedFlux;
import com.azure.core.http.rest.PagedResponse;
import com.azure.storage.blob.BlobAsyncClient;
import com.azure.storage.blob.BlobContainerAsyncClient;
import com.azure.storage.blob.models.AccessTier;
import com.azure.storage.blob.models.BlobDownloadAsyncResponse;
import com.azure.storage.blob.models.BlobDownloadHeaders;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobProperties;
import com.azure.storage.blob.models.BlobRange;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.models.DownloadRetryOptions;
import com.azure.storage.blob.models.ListBlobsOptions;
import com.azure.storage.blob.options.BlobUploadFromUrlOptions;
import com.azure.storage.blob.options.BlockBlobSimpleUploadOptions;
import dev.kvstore.dataplane.memory.Allocator;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.storage.ArchivedBlob;
import dev.kvstore.dataplane.storage.Arguments;
import dev.kvstore.dataplane.storage.Blob;
import dev.kvstore.dataplane.storage.BlobChange;
import dev.kvstore.dataplane.storage.BlobLink;
import dev.kvstore.dataplane.storage.BlobName;
import dev.kvstore.dataplane.storage.BlobPage;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.Got;
import dev.kvstore.dataplane.storage.Listed;
import dev.kvstore.dataplane.storage.PutResult;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageInspection;
import dev.kvstore.dataplane.storage.WrongSizeBlob;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Blobs in a container. Each call is one HTTP request where nothing fails, and another where a blob is archived; the
 * SDK alone retries. Where the answer to a put or delete was lost and the SDK asked again, the refusal it gets may be
 * due to its own first try. Thread-safe.
 */
public final class AzureStore implements BlockStore {
    private static final System.Logger LOG = System.getLogger(AzureStore.class.getName());
    private static final String ANY = "*";

    /** Refusals of links in a row, while reading and writing went well, after which links are no longer used. */
    private static final int MOST_REFUSED_LINKS = 3;

    /** The answer of storage to a request for a blob's bytes. */
    private sealed interface DownloadAnswer {
        record Arriving(BlobDownloadAsyncResponse response) implements DownloadAnswer {}

        record Same() implements DownloadAnswer {}

        record Archived(String etag) implements DownloadAnswer {}
    }

    private final BlobContainerAsyncClient container;
    private final Transport transport;
    private final Links links;
    private final AtomicInteger refusedLinks = new AtomicInteger();

    AzureStore(BlobContainerAsyncClient container, Transport transport, Links links) {
        this.container = container;
        this.transport = transport;
        this.links = links;
    }

    @Override
    public @Nullable Got get(String name, int most, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        Arguments.requireMost(most);
        return switch (await(name, answer(name, download(name, null, new BlobRequestConditions())))) {
            case null -> null;
            case DownloadAnswer.Same _ -> null;
            case DownloadAnswer.Archived(String etag) -> new ArchivedBlob(etag);
            case DownloadAnswer.Arriving(BlobDownloadAsyncResponse response) ->
                Download.read(name, response, most, allocator);
        };
    }

    @Override
    public @Nullable Blob getRange(String name, long offset, int length, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        Arguments.requireRange(offset, length);
        Mono<BlobDownloadAsyncResponse> answer =
                download(name, new BlobRange(offset, (long) length), new BlobRequestConditions());
        // Right behind the end, Azurite answers with no bytes where Azure refuses.
        Mono<BlobDownloadAsyncResponse> some = answer.flatMap(response ->
                        Download.length(response) == 0 ? response.getValue().then(Mono.empty()) : Mono.just(response))
                .onErrorResume(AzureFailures::isBehindTheEnd, _ -> Mono.empty());
        return await(name, answer(name, some)) instanceof DownloadAnswer.Arriving(BlobDownloadAsyncResponse response)
                ? Download.readRange(name, response, length, allocator)
                : null;
    }

    /** The answer to a request for a blob's bytes; empty if there is no such blob. */
    private Mono<DownloadAnswer> answer(String name, Mono<BlobDownloadAsyncResponse> call) {
        return call.<DownloadAnswer>map(DownloadAnswer.Arriving::new)
                .onErrorResume(
                        AzureFailures::isArchived,
                        _ -> properties(name).map(blob -> new DownloadAnswer.Archived(blob.getETag())))
                .onErrorResume(AzureFailures::isAbsent, _ -> Mono.empty());
    }

    @Override
    public BlobChange getIfChanged(String name, String etag, int most, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        Arguments.requireMost(most);
        Mono<DownloadAnswer> answer = answer(
                        name, download(name, null, new BlobRequestConditions().setIfNoneMatch(etag)))
                .onErrorResume(AzureFailures::isUnchanged, _ -> Mono.just(new DownloadAnswer.Same()));
        return switch (await(name, answer)) {
            case null -> new BlobChange.BlobGone();
            case DownloadAnswer.Same _ -> new BlobChange.Unchanged();
            case DownloadAnswer.Archived(String now) ->
                now.equals(etag) ? new BlobChange.Unchanged() : new BlobChange.Changed(new ArchivedBlob(now));
            case DownloadAnswer.Arriving(BlobDownloadAsyncResponse response) ->
                new BlobChange.Changed(Download.read(name, response, most, allocator));
        };
    }

    private Mono<BlobDownloadAsyncResponse> download(
            String name, @Nullable BlobRange range, BlobRequestConditions conditions) {
        // A body that breaks off is taken up again where it broke, once for each try a request has.
        DownloadRetryOptions retries = new DownloadRetryOptions().setMaxRetryRequests(AzureStores.TRIES - 1);
        return blob(name)
                .downloadStreamWithResponse(range, retries, conditions, false)
                .flatMap(AzureStore::ofABlob)
                .contextWrite(context -> context.put(AzureHttp.LEND, true));
    }

    @Override
    public PutResult putIfAbsent(String name, ByteBuffer content) throws StorageException {
        return Objects.requireNonNull(put(
                name,
                content,
                new BlobRequestConditions().setIfNoneMatch(ANY),
                put -> put.onErrorResume(AzureFailures::isInTheWay, refusal -> refusedFor(name, refusal))));
    }

    /** Asks whether a blob is in the way of a refused put: the refusal may name another flaw of that blob. */
    private Mono<PutResult> refusedFor(String name, Throwable refusal) {
        return properties(name)
                .<PutResult>map(_ -> new PutResult.ConditionFailed())
                .onErrorMap(AzureFailures::isAbsent, _ -> refusal);
    }

    @Override
    public PutResult putIfMatch(String name, ByteBuffer content, String etag) throws StorageException {
        PutResult put = put(
                name,
                content,
                new BlobRequestConditions().setIfMatch(etag),
                call -> call.onErrorResume(AzureFailures::isToDeleteFirst, _ -> Mono.empty()));
        if (put != null) {
            return put;
        }
        return deleteIfMatch(name, etag) ? putIfAbsent(name, content) : new PutResult.ConditionFailed();
    }

    private Mono<BlobProperties> properties(String name) {
        return blob(name)
                .getProperties()
                .flatMap(blob -> blob.getBlobType() == null || blob.getETag() == null
                        ? Mono.error(ForeignAnswers.notOfABlob())
                        : Mono.just(blob));
    }

    private static Mono<BlobDownloadAsyncResponse> ofABlob(BlobDownloadAsyncResponse response) {
        BlobDownloadHeaders head = response.getDeserializedHeaders();
        if (head.getBlobType() != null && head.getETag() != null) {
            return Mono.just(response);
        }
        return Mono.fromCallable(() -> {
            response.close();
            throw ForeignAnswers.notOfABlob();
        });
    }

    private @Nullable PutResult put(
            String name,
            ByteBuffer content,
            BlobRequestConditions conditions,
            UnaryOperator<Mono<PutResult>> afterRefusal)
            throws StorageException {
        Arguments.requireContent(content);
        BlobAsyncClient blob = blob(name);
        try (Upload upload = Upload.of(content, transport)) {
            BlockBlobSimpleUploadOptions options =
                    new BlockBlobSimpleUploadOptions(upload.chunks(), upload.length()).setRequestConditions(conditions);
            Mono<PutResult> put = blob.getBlockBlobAsyncClient()
                    .uploadWithResponse(options)
                    .map(response -> new PutResult.Stored(response.getValue().getETag()));
            return awaitPut(
                    name,
                    afterRefusal.apply(upload.within(put)
                            .onErrorResume(AzureFailures::isRefusal, _ -> Mono.just(new PutResult.ConditionFailed()))));
        }
    }

    /** Waits for a put. A put that says that it has changed nothing says too whether one of its tries may have. */
    private static @Nullable PutResult awaitPut(String name, Mono<PutResult> call) throws StorageException {
        AtomicBoolean isMaybeDone = new AtomicBoolean();
        try {
            PutResult put = await(name, LostAnswers.marked(call, isMaybeDone));
            return put instanceof PutResult.ConditionFailed ? new PutResult.ConditionFailed(isMaybeDone.get()) : put;
        } catch (StorageException e) {
            throw isMaybeDone.get() ? e.afterLostAnswer() : e;
        }
    }

    @Override
    public boolean exists(String name) throws StorageException {
        return isTrue(
                name,
                properties(name)
                        .map(blob -> !AccessTier.ARCHIVE.equals(blob.getAccessTier())
                                && !WrongSizeBlob.is(blob.getBlobSize()))
                        .onErrorResume(AzureFailures::isAbsent, _ -> Mono.just(false)));
    }

    @Override
    public boolean deleteIfMatch(String name, String etag) throws StorageException {
        return isTrue(
                name,
                blob(name)
                        .deleteWithResponse(null, new BlobRequestConditions().setIfMatch(etag))
                        .thenReturn(true)
                        .onErrorResume(AzureFailures::isRefusal, _ -> Mono.just(false)));
    }

    @Override
    public BlobPage list(String prefix, @Nullable String after, int limit) throws StorageException {
        Arguments.requireLimit(limit);
        ListBlobsOptions options =
                new ListBlobsOptions().setPrefix(BlobName.requirePrefix(prefix)).setMaxResultsPerPage(limit);
        PagedFlux<BlobItem> pages = container.listBlobs(options);
        return Objects.requireNonNull(AzureFailures.await(
                "listing of \"" + prefix + "\"",
                (after == null ? pages.byPage() : pages.byPage(after)).next().map(AzureStore::page)));
    }

    private static BlobPage page(PagedResponse<BlobItem> page) {
        String next = page.getContinuationToken();
        return new BlobPage(
                page.getValue().stream()
                        .filter(blob -> BlobName.is(blob.getName()))
                        .map(AzureStore::listed)
                        .toList(),
                next == null || next.isEmpty() ? null : next);
    }

    private static Listed listed(BlobItem blob) {
        return new Listed(
                blob.getName(),
                blob.getProperties().getContentLength(),
                blob.getProperties().getLastModified().toInstant(),
                AccessTier.ARCHIVE.equals(blob.getProperties().getAccessTier()));
    }

    @Override
    public @Nullable BlobLink link(String name) throws StorageException {
        return links.to(blob(name));
    }

    /** False once the service has refused to follow links: an emulator, or networks that do not see each other. */
    @Override
    public boolean followsLinks() {
        return refusedLinks.get() < MOST_REFUSED_LINKS;
    }

    @Override
    public PutResult copyFrom(BlockStore source, String name, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        BlobLink link = followsLinks() ? source.link(name) : null;
        if (link == null) {
            return BlockStore.super.copyFrom(source, name, allocator);
        }
        try {
            PutResult put = fetch(link, name);
            refusedLinks.set(0);
            return put;
        } catch (StorageException e) {
            PutResult put = BlockStore.super.copyFrom(source, name, allocator);
            // The block came another way, so the link failed. The log tells that once, until links work again.
            if (refusedLinks.getAndIncrement() == 0) {
                LOG.log(
                        Level.INFO,
                        "{0} is read and written, as storage does not copy it from a link: {1}",
                        name,
                        e.getMessage());
            }
            return put;
        }
    }

    /** Makes the service read the blob behind a link. */
    private PutResult fetch(BlobLink link, String name) throws StorageException {
        BlobUploadFromUrlOptions options = new BlobUploadFromUrlOptions(
                        link.url().toString())
                .setDestinationRequestConditions(new BlobRequestConditions().setIfNoneMatch(ANY));
        return Objects.requireNonNull(awaitPut(
                name,
                blob(name)
                        .getBlockBlobAsyncClient()
                        .uploadFromUrlWithResponse(options)
                        .<PutResult>map(response ->
                                new PutResult.Stored(response.getValue().getETag()))
                        .onErrorResume(AzureFailures::isTaken, _ -> Mono.just(new PutResult.ConditionFailed()))));
    }

    @Override
    public StorageInspection inspection() {
        return new AzureInspection(container);
    }

    /** Closes nothing: connections are shared by all stores. */
    @Override
    public void close() {}

    private BlobAsyncClient blob(String name) {
        return container.getBlobAsyncClient(BlobName.require(name));
    }

    private static <T> @Nullable T await(String name, Mono<T> call) throws StorageException {
        return AzureFailures.await("blob " + name, call);
    }

    private static boolean isTrue(String name, Mono<Boolean> answer) throws StorageException {
        return Boolean.TRUE.equals(await(name, answer));
    }
}
