package dev.kvstore.control.rest;

import static dev.kvstore.control.rest.RestAdmin.admin;
import static dev.kvstore.control.rest.RestAdmin.put;
import static dev.kvstore.control.rest.RestAdmin.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.oneOf;

import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import dev.kvstore.control.rest.ApiDocument.ApiOperation;
import dev.kvstore.testing.Patience;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.Header;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Callers of one tenant try every operation of the API on another tenant's resources: no attempt has an effect, and
 * each is answered as if the resource did not exist.
 */
@Tag("slow")
@QuarkusTest
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(TestIssuer.class)
class CrossTenantTest {
    private static final long SEED = 6;
    private static final int ROUNDS = 10;
    private static final String MINE = "cross-mine";
    private static final String THEIRS = "cross-theirs";
    private static final String THIRD = "cross-third";

    /** Parameters, and properties of bodies, that name what belongs to a tenant. */
    private static final Set<String> OWNED =
            Set.of("tenant", "account", "key", "grant", "warming", "purge", "resourceName");

    /** Names that do not belong to the resource before them in a path. */
    private static final Set<String> GLOBAL = Set.of("key");

    /** The property by which a body names an account. */
    private static final String RESOURCE = "resourceName";

    /** Resources that exist and belong to no tenant. */
    private static final Map<String, String> PLATFORM = Map.of(
            "region",
            "cross-1",
            "homeRegion",
            "cross-1",
            "other",
            "cross-2",
            "cluster",
            "cross-1-a",
            "process",
            "p",
            "from",
            "cross-1",
            "to",
            "cross-2");

    /** Headers that are the same for what is there and what is not. */
    private static final Set<String> VARYING = Set.of("content-length", "date");

    /** One request that was made, and how it was refused. */
    record CrossTenantRequest(String tenant, String method, String path, int status) {}

    @Inject
    @SuppressWarnings("NullAway.Init")
    DataSource database;

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final List<CrossTenantRequest> attempts = new ArrayList<>();
    private final Map<String, String> theirs = new HashMap<>(PLATFORM);

    @SuppressWarnings("NullAway.Init")
    private ApiDocument document;

    @BeforeEach
    void register() throws SQLException {
        document = ApiDocument.served();
        List.of(MINE, THEIRS, THIRD).forEach(RestAdmin::tenant);
        List.of("cross-1", "cross-2").forEach(RestAdmin::region);
        done(put("/v1/clusters/cross-1-a", Map.of("region", "cross-1", "state", "active")));
        done(put("/v1/accounts/cross-mine-account", account(MINE)));
        done(put("/v1/accounts/cross-theirs-account", account(THEIRS)));
        done(put("/v1/accounts/cross-theirs-account/placements/cross-1", Map.of("cluster", "cross-1-a")));
        done(put(
                "/v1/accounts/cross-theirs-account/grants/cross-theirs-grant",
                Map.of("grantee", THIRD, "access", List.of("read"))));
        String key = admin().post("/v1/tenants/" + THEIRS + "/keys").path("id");
        warming("cross-theirs-warming");
        purge("cross-theirs-purge", key);
        theirs.putAll(Map.of(
                "tenant",
                THEIRS,
                "account",
                "cross-theirs-account",
                RESOURCE,
                "cross-theirs-account",
                "key",
                key,
                "grant",
                "cross-theirs-grant",
                "warming",
                "cross-theirs-warming",
                "purge",
                "cross-theirs-purge"));
    }

    /** As it is kept: to begin one takes storage that was found good. */
    private void warming(String id) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement insert = connection.prepareStatement("""
                        insert into warming (id, resource_name, tenant, source, target, selection, bytes_per_second,
                            requests_per_second, preheat, state, listing, created_at)
                        values (?, 'cross-theirs-account', ?, 'cross-1', 'cross-2', '{"all": true}', 65536, 1, 'STORAGE', 'PAUSED',
                            true, now()) on conflict do nothing""")) {
            insert.setString(1, id);
            insert.setString(2, THEIRS);
            insert.executeUpdate();
        }
    }

    /** One that is over: data planes would have to work on another. */
    private void purge(String id, String key) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement insert = connection.prepareStatement("""
                        insert into purge (id, resource_name, tenant, key_id, state, version, created_at, ended_at)
                        values (?, 'cross-theirs-account', ?, ?, 'DONE', nextval('purge_version'), now(), now())
                        on conflict do nothing""")) {
            insert.setString(1, id);
            insert.setString(2, THEIRS);
            insert.setString(3, key);
            insert.executeUpdate();
        }
    }

    private boolean isOwned(ApiOperation operation) {
        return operation.parameters().stream().anyMatch(OWNED::contains)
                || (operation.parameters().isEmpty()
                        && operation.body() != null
                        && document.example(operation.body(), theirs).has(RESOURCE));
    }

    private static void done(Response response) {
        response.then().statusCode(oneOf(200, 201));
    }

    private static Map<String, Object> account(String tenant) {
        return RestAdmin.account(tenant, RestAdmin.replica("cross-1", tenant, "blocks"));
    }

    /** Every request made with one tenant's token for another's things, for the list of refusals. */
    private List<CrossTenantRequest> refusedAttempts() {
        return attempts.stream()
                .filter(attempt -> attempt.status() == 403 || attempt.status() == 404)
                .toList();
    }

    private String token() {
        return TestIssuer.token(List.of(random.nextInt(5) == 0 ? "viewer" : "tenant-admin"), MINE);
    }

    private String guess() {
        return "guess" + Long.toString(random.nextLong() >>> 1, 36);
    }

    /** The same names, where those that belong to a tenant are nobody's. */
    private Map<String, String> nobodys(Map<String, String> names) {
        Map<String, String> guesses = new HashMap<>(names);
        guesses.replaceAll((name, value) -> OWNED.contains(name) && value.equals(theirs.get(name)) ? guess() : value);
        return guesses;
    }

    private @Nullable Header precondition() {
        return switch (random.nextInt(4)) {
            case 0 -> new Header("If-Match", "*");
            case 1 -> new Header("If-Match", "\"1\"");
            case 2 -> new Header("If-None-Match", "*");
            default -> null;
        };
    }

    private Response call(
            ApiOperation operation,
            String token,
            @Nullable Header precondition,
            Map<String, String> names,
            Map<String, String> query) {
        RequestSpecification request = with(token).queryParams(query);
        if (precondition != null) {
            request.header(precondition);
        }
        if (operation.body() != null) {
            request.body(document.example(operation.body(), names).toString());
        }
        String path = operation.at(names);
        Response response = request.request(operation.method(), path);
        attempts.add(new CrossTenantRequest(MINE, operation.method(), path, response.statusCode()));
        return response;
    }

    /** All that the caller was told, its own words apart. */
    private static String told(Response response, Map<String, String> names) {
        String text = response.statusCode() + " " + response.asString();
        // A name that begins another name comes after it.
        for (String name : List.of("warming", "purge", "account", RESOURCE, "grant", "key", "tenant")) {
            text = text.replace(
                    Objects.requireNonNull(names.get(name)),
                    name.equals(RESOURCE) ? "ACCOUNT" : name.toUpperCase(Locale.ROOT));
        }
        return text
                + response.headers().asList().stream()
                        .map(header -> header.getName().toLowerCase(Locale.ROOT))
                        .filter(header -> !VARYING.contains(header))
                        .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The differences between the answers about another tenant's resource and about one that does not exist. */
    private List<String> differences(ApiOperation operation, Map<String, String> names, Map<String, String> query) {
        String token = token();
        Header precondition = precondition();
        Map<String, String> guesses = nobodys(names);
        Map<String, String> guessed = new HashMap<>(query);
        guessed.replaceAll((name, value) -> guesses.getOrDefault(name, "cross-nobodys"));
        Response one = call(operation, token, precondition, names, query);
        Response other = call(operation, token, precondition, guesses, guessed);
        boolean same = told(one, names).equals(told(other, guesses));
        boolean refused = !query.isEmpty() || one.statusCode() == 403 || one.statusCode() == 404;
        return same && refused && !told(one, names).contains(THEIRS)
                ? List.of()
                : List.of("%s %s%n%s%n%s".formatted(operation, precondition, one.asString(), other.asString()));
    }

    /** But for the one that makes what has such a name: that a name of all tenants is taken, it has to say. */
    private List<ApiOperation> namingGlobals() {
        return document.operations().stream()
                .filter(operation -> operation.parameters().stream().anyMatch(GLOBAL::contains))
                .filter(operation -> !operation.toString().equals("PUT /v1/tenants/{tenant}/keys/{key}"))
                .toList();
    }

    @Test
    void whatIsAnothersCannotBeToldFromWhatIsNotThere() {
        List<String> differences = new ArrayList<>();
        List<String> before = everythingOfTheirs();
        for (int round = 0; round < ROUNDS; round++) {
            for (ApiOperation operation :
                    document.operations().stream().filter(this::isOwned).toList()) {
                differences.addAll(differences(operation, theirs, Map.of()));
            }
            for (ApiOperation operation : namingGlobals()) {
                Map<String, String> mixed = new HashMap<>(theirs);
                mixed.put("tenant", MINE);
                differences.addAll(differences(operation, mixed, Map.of()));
            }
        }

        assertThat(differences).as("seed %d", SEED).isEmpty();
        assertThat(refusedAttempts()).hasSizeGreaterThan(400).hasSameSizeAs(attempts);
        assertThat(everythingOfTheirs()).isEqualTo(before);
        assertThatAllAreKept(refusedAttempts());
    }

    private static void assertThatAllAreKept(List<CrossTenantRequest> attempts) {
        List<String> wanted = attempts.stream()
                .map(attempt -> attempt.method() + " " + attempt.path())
                .toList();
        await().atMost(Patience.LIMIT).untilAsserted(() -> assertThat(kept()).containsAll(wanted));
    }

    /** The entries of the list of refusals about the one tenant. */
    private static Set<String> kept() {
        Set<String> kept = new TreeSet<>();
        String cursor = "";
        while (cursor != null) {
            Response page = admin().queryParams(Map.of("tenant", MINE, "limit", 1000, "cursor", cursor))
                    .get("/v1/refusals");
            kept.addAll(page.<List<String>>path("items.what"));
            cursor = page.path("next");
        }
        return kept;
    }

    @Test
    void aListHasNothingOfAnothers() {
        List<String> differences = new ArrayList<>();
        for (ApiOperation operation : document.operations()) {
            for (String name : operation.query()) {
                if (OWNED.contains(name) && operation.parameters().isEmpty()) {
                    differences.addAll(
                            differences(operation, theirs, Map.of(name, Objects.requireNonNull(theirs.get(name)))));
                }
                if (name.equals("name")) {
                    theirs.values()
                            .forEach(value -> differences.addAll(differences(operation, theirs, Map.of(name, value))));
                }
            }
        }

        assertThat(attempts).hasSizeGreaterThan(4);
        assertThat(differences).isEmpty();
    }

    @Test
    void anAccountIsNotMadeInAnothersName() {
        Map<String, String> names = new HashMap<>(theirs);
        names.put("account", guess());
        ApiOperation operation = document.operations().stream()
                .filter(one -> one.toString().equals("PUT /v1/accounts/{account}"))
                .findFirst()
                .orElseThrow();

        assertThat(differences(operation, names, Map.of())).isEmpty();
    }

    @Test
    void nobodyOfATenantChangesThePlatform() {
        for (ApiOperation operation : document.operations()) {
            if (operation.method().equals("GET") || isOwned(operation)) {
                continue;
            }
            Map<String, String> absent = new HashMap<>(theirs);
            PLATFORM.keySet().forEach(name -> absent.put(name, guess()));

            assertThat(call(operation, token(), null, theirs, Map.of()).statusCode())
                    .as(operation.toString())
                    .isEqualTo(call(operation, token(), null, absent, Map.of()).statusCode())
                    .isEqualTo(403);
        }
        assertThat(attempts).hasSizeGreaterThan(10);
    }

    /** But for routes, which change with the fleet and not by what anybody asked. */
    private List<String> everythingOfTheirs() {
        return document.operations().stream()
                .filter(operation -> !operation.path().startsWith("/v1/routes/"))
                .filter(operation -> operation.method().equals("GET")
                        && operation.parameters().stream().anyMatch(OWNED::contains))
                .map(operation ->
                        operation + " " + admin().get(operation.at(theirs)).asString())
                .toList();
    }
}
