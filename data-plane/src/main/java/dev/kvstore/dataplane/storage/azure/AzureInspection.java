package dev.kvstore.dataplane.storage.azure;

import static dev.kvstore.dataplane.storage.StorageTrait.TraitName.HIERARCHICAL_NAMESPACE;
import static dev.kvstore.dataplane.storage.StorageTrait.TraitName.IMMUTABILITY_POLICY;
import static dev.kvstore.dataplane.storage.StorageTrait.TraitName.LEGAL_HOLD;
import static dev.kvstore.dataplane.storage.StorageTrait.TraitName.SOFT_DELETE;
import static dev.kvstore.dataplane.storage.StorageTrait.TraitName.VERSIONING;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.rest.Response;
import com.azure.storage.blob.BlobContainerAsyncClient;
import com.azure.storage.blob.models.BlobContainerProperties;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobListDetails;
import com.azure.storage.blob.models.BlobProperties;
import com.azure.storage.blob.models.ListBlobsOptions;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageInspection;
import dev.kvstore.dataplane.storage.StorageTrait;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The settings of a container and its account that the container's key can see. Azure tells them in headers; where one
 * is missing, as with an emulator, the setting is unknown. Thread-safe.
 */
final class AzureInspection implements StorageInspection {
    private static final HttpHeaderName IS_HNS = HttpHeaderName.fromString("x-ms-is-hns-enabled");
    private static final HttpHeaderName HAS_POLICY = HttpHeaderName.fromString("x-ms-has-immutability-policy");
    private static final HttpHeaderName HAS_HOLD = HttpHeaderName.fromString("x-ms-has-legal-hold");

    /** An answer of storage, or why there is none. */
    private record InspectionAnswer<T>(@Nullable T value, String reason) {}

    private final BlobContainerAsyncClient container;

    /** Why storage did not answer a question; empty if it answered. No further questions are asked then. */
    private volatile String away = "";

    AzureInspection(BlobContainerAsyncClient container) {
        this.container = container;
    }

    @Override
    public List<StorageTrait> whileStored(String blob) {
        InspectionAnswer<Response<?>> account = ask("the account", container.getAccountInfoWithResponse());
        InspectionAnswer<Response<BlobContainerProperties>> settings =
                ask("the container", container.getPropertiesWithResponse(null));
        InspectionAnswer<BlobProperties> inspectionAnswer =
                ask("blob " + blob, container.getBlobAsyncClient(blob).getProperties());
        List<StorageTrait> traits = new ArrayList<>();
        traits.add(byHeader(HIERARCHICAL_NAMESPACE, account, IS_HNS));
        traits.add(versioning(inspectionAnswer));
        // A blob may have a setting that its container does not tell of.
        traits.add(either(
                byHeader(IMMUTABILITY_POLICY, settings, HAS_POLICY),
                inspectionAnswer,
                found -> found.getImmutabilityPolicy() != null
                        && found.getImmutabilityPolicy().getExpiryTime() != null));
        traits.add(either(
                byHeader(LEGAL_HOLD, settings, HAS_HOLD),
                inspectionAnswer,
                found -> Boolean.TRUE.equals(found.hasLegalHold())));
        return traits;
    }

    @Override
    public List<StorageTrait> afterDeletion(String blob) {
        ListBlobsOptions options = new ListBlobsOptions()
                .setPrefix(blob)
                .setDetails(new BlobListDetails().setRetrieveDeletedBlobs(true).setRetrieveVersions(true));
        InspectionAnswer<List<BlobItem>> left = ask(
                "the listing of deleted blobs",
                container.listBlobs(options).byPage().next().map(page -> page.getValue()));
        List<BlobItem> items = left.value();
        if (items == null) {
            return List.of(StorageTrait.unseen(SOFT_DELETE, left.reason()));
        }
        if (items.stream().anyMatch(BlobItem::isDeleted)) {
            return List.of(StorageTrait.seen(SOFT_DELETE, true));
        }
        // A version takes the place of the deleted blob, whether or not deleted versions are kept.
        return List.of(
                items.stream().anyMatch(item -> item.getVersionId() != null)
                        ? StorageTrait.unseen(SOFT_DELETE, "versions hide it")
                        : StorageTrait.seen(SOFT_DELETE, false));
    }

    private static StorageTrait byHeader(
            StorageTrait.TraitName name, InspectionAnswer<? extends Response<?>> answer, HttpHeaderName header) {
        Response<?> response = answer.value();
        if (response == null) {
            return StorageTrait.unseen(name, answer.reason());
        }
        String value = response.getHeaders().getValue(header);
        return value == null
                ? StorageTrait.unseen(name, "storage does not tell " + header.getCaseInsensitiveName())
                : StorageTrait.seen(name, value.toLowerCase(Locale.ROOT).equals("true"));
    }

    private static StorageTrait versioning(InspectionAnswer<BlobProperties> inspectionAnswer) {
        BlobProperties found = inspectionAnswer.value();
        return found == null
                ? StorageTrait.unseen(VERSIONING, inspectionAnswer.reason())
                : StorageTrait.seen(VERSIONING, found.getVersionId() != null);
    }

    private static StorageTrait either(
            StorageTrait ofContainer,
            InspectionAnswer<BlobProperties> inspectionAnswer,
            Predicate<BlobProperties> has) {
        BlobProperties found = inspectionAnswer.value();
        return found != null && has.test(found) ? StorageTrait.seen(ofContainer.name(), true) : ofContainer;
    }

    private <T> InspectionAnswer<T> ask(String subject, Mono<? extends T> call) {
        if (!away.isEmpty()) {
            return new InspectionAnswer<>(null, away);
        }
        try {
            T value = AzureFailures.await(subject, call);
            return new InspectionAnswer<>(value, value == null ? subject + ": no answer" : "");
        } catch (StorageException e) {
            String reason = e.kind() + ": " + e.getMessage();
            away = e.kind().passes() ? reason : "";
            return new InspectionAnswer<>(null, reason);
        }
    }
}
