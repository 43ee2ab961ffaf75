package dev.kvstore.dataplane.storage.azure;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.PutResult;
import dev.kvstore.dataplane.storage.StorageInspection;
import dev.kvstore.dataplane.storage.StorageTrait;
import dev.kvstore.dataplane.storage.StorageTrait.TraitName;
import dev.kvstore.dataplane.storage.StorageTrait.TraitSight;
import dev.kvstore.dataplane.storage.StoredContents;
import dev.kvstore.testing.SharedAzurite;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

/**
 * Settings of an account and a container, by the answers that Azure documents; Azurite has none of these settings. Not
 * verified against Azure.
 */
@Tag("slow")
final class AzureInspectionTest {
    private static final String NAME = "kv/v1/probe/0a";

    /** Headers that answers get, by the {@code comp} of their request, or {@code blob}. */
    private final Map<String, Map<String, String>> added = new ConcurrentHashMap<>();

    private volatile @Nullable String refused;
    private volatile @Nullable String listing;
    private volatile @Nullable String silent;
    private final AtomicInteger questions = new AtomicInteger();

    private final AzureStores stores =
            new AzureStores(Outbound.DEFAULT, new SimpleMeterRegistry(), List.of(this::answersOfAzure));
    private BlockStore store;
    private String etag;

    private Mono<HttpResponse> answersOfAzure(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
        HttpRequest request = context.getHttpRequest();
        String asked = asked(request);
        if (asked.equals(refused)) {
            return Mono.just(StubResponse.ofXml(request, 403, ""));
        }
        if (asked.equals(silent)) {
            questions.incrementAndGet();
            return Mono.error(new IOException("no answer"));
        }
        String list = listing;
        if (asked.equals("list") && list != null) {
            return Mono.just(StubResponse.ofXml(request, 200, list));
        }
        return next.process().map(response -> {
            added.getOrDefault(asked, Map.of())
                    .forEach((name, value) -> response.getHeaders().set(HttpHeaderName.fromString(name), value));
            return response;
        });
    }

    private static String asked(HttpRequest request) {
        String query = String.valueOf(request.getUrl().getQuery());
        if (query.contains("comp=properties")) {
            return "account";
        }
        if (query.contains("comp=list")) {
            return "list";
        }
        return query.contains("restype=container") ? "container" : "blob";
    }

    @BeforeEach
    void put() throws Exception {
        store = stores.open(new AzureContainer(
                SharedAzurite.endpoint(),
                SharedAzurite.newContainerName(),
                new StorageCredential.ConnectionString(SharedAzurite.connectionString()),
                true));
        etag = ((PutResult.Stored) store.putIfAbsent(NAME, StoredContents.random(1, 64))).etag();
    }

    @AfterEach
    void close() {
        stores.close();
    }

    private StorageInspection inspection() {
        return store.inspection();
    }

    private StorageTrait trait(TraitName name) {
        return inspection().whileStored(NAME).stream()
                .filter(trait -> trait.name() == name)
                .findFirst()
                .orElseThrow();
    }

    private List<StorageTrait> afterDeletion() throws Exception {
        assertThat(store.deleteIfMatch(NAME, etag)).isTrue();
        return inspection().afterDeletion(NAME);
    }

    @Test
    void anAccountWithoutAnyOfThemHasNone() throws Exception {
        added.put("account", Map.of("x-ms-is-hns-enabled", "false"));
        added.put("container", Map.of("x-ms-has-immutability-policy", "false", "x-ms-has-legal-hold", "false"));

        assertThat(inspection().whileStored(NAME))
                .containsExactly(
                        StorageTrait.seen(TraitName.HIERARCHICAL_NAMESPACE, false),
                        StorageTrait.seen(TraitName.VERSIONING, false),
                        StorageTrait.seen(TraitName.IMMUTABILITY_POLICY, false),
                        StorageTrait.seen(TraitName.LEGAL_HOLD, false));
        assertThat(afterDeletion()).containsExactly(StorageTrait.seen(TraitName.SOFT_DELETE, false));
    }

    @Test
    void aHierarchicalNamespaceIsAHeaderOfTheAccount() {
        added.put("account", Map.of("x-ms-is-hns-enabled", "true"));

        assertThat(trait(TraitName.HIERARCHICAL_NAMESPACE).sight()).isEqualTo(TraitSight.PRESENT);
    }

    @Test
    void versioningIsAHeaderOfTheBlob() {
        added.put("blob", Map.of("x-ms-version-id", "2026-11-26T00:00:00.0000000Z"));

        assertThat(trait(TraitName.VERSIONING).sight()).isEqualTo(TraitSight.PRESENT);
    }

    @Test
    void aPolicyIsAHeaderOfTheContainerOrOfTheBlob() {
        added.put("container", Map.of("x-ms-has-immutability-policy", "true"));
        assertThat(trait(TraitName.IMMUTABILITY_POLICY).sight()).isEqualTo(TraitSight.PRESENT);

        added.put("container", Map.of("x-ms-has-immutability-policy", "false"));
        added.put("blob", Map.of("x-ms-immutability-policy-until-date", "Thu, 26 Nov 2037 00:00:00 GMT"));
        assertThat(trait(TraitName.IMMUTABILITY_POLICY).sight()).isEqualTo(TraitSight.PRESENT);
    }

    @Test
    void aLegalHoldIsAHeaderOfTheContainerOrOfTheBlob() {
        added.put("container", Map.of("x-ms-has-legal-hold", "true"));
        assertThat(trait(TraitName.LEGAL_HOLD).sight()).isEqualTo(TraitSight.PRESENT);

        added.put("container", Map.of("x-ms-has-legal-hold", "false"));
        added.put("blob", Map.of("x-ms-legal-hold", "true"));
        assertThat(trait(TraitName.LEGAL_HOLD).sight()).isEqualTo(TraitSight.PRESENT);
    }

    @Test
    void softDeleteShowsTheDeletedBlob() throws Exception {
        listing = listed("<Deleted>true</Deleted>");

        assertThat(afterDeletion()).containsExactly(StorageTrait.seen(TraitName.SOFT_DELETE, true));
    }

    @Test
    void whereVersionsAreKeptSoftDeleteCannotBeSeen() throws Exception {
        listing = listed("<VersionId>2026-11-26T00:00:00.0000000Z</VersionId>");

        assertThat(afterDeletion()).containsExactly(StorageTrait.unseen(TraitName.SOFT_DELETE, "versions hide it"));
    }

    @ParameterizedTest
    @EnumSource(names = {"HIERARCHICAL_NAMESPACE", "VERSIONING", "IMMUTABILITY_POLICY", "LEGAL_HOLD"})
    void whatTheCredentialMayNotAskForIsUnknownAndNotAbsent(TraitName name) {
        refused = switch (name) {
            case HIERARCHICAL_NAMESPACE -> "account";
            case VERSIONING -> "blob";
            default -> "container";
        };

        assertThat(trait(name).sight()).isEqualTo(TraitSight.UNKNOWN);
        assertThat(trait(name).reason()).startsWith("FORBIDDEN: ");
    }

    @Test
    void aListingThatTheCredentialMayNotHaveMakesSoftDeleteUnknown() throws Exception {
        refused = "list";

        assertThat(afterDeletion()).extracting(StorageTrait::sight).containsExactly(TraitSight.UNKNOWN);
    }

    @Test
    void aStorageThatDoesNotAnswerIsAskedOnce() {
        silent = "account";
        refused = "container";

        assertThat(inspection().whileStored(NAME))
                .hasSize(4)
                .allSatisfy(trait -> assertThat(trait.sight()).isEqualTo(TraitSight.UNKNOWN))
                .allSatisfy(trait -> assertThat(trait.reason()).startsWith("UNAVAILABLE: the account"));
        assertThat(questions.get()).isBetween(1, AzureStores.TRIES);
    }

    private static String listed(String mark) {
        return """
                <?xml version="1.0" encoding="utf-8"?><EnumerationResults ServiceEndpoint="http://127.0.0.1/" \
                ContainerName="c"><Prefix>%s</Prefix><Blobs><Blob><Name>%s</Name>%s<Properties>\
                <Last-Modified>Thu, 26 Nov 2026 00:00:00 GMT</Last-Modified><Etag>0x1</Etag>\
                <Content-Length>64</Content-Length><BlobType>BlockBlob</BlobType></Properties></Blob></Blobs>\
                <NextMarker /></EnumerationResults>""".formatted(NAME, NAME, mark);
    }
}
