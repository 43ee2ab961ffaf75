package dev.kvstore.control.route;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.kvstore.accounts.resolve.DatabaseAccountResolver;
import dev.kvstore.accounts.resolve.Resolved;
import dev.kvstore.admin.change.Affected;
import dev.kvstore.admin.change.Change;
import dev.kvstore.admin.refusal.Refusals;
import dev.kvstore.admin.refusal.RefusedAction;
import dev.kvstore.control.resolve.CallFailure;
import dev.kvstore.control.resolve.Resolutions;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a key may see the route of an account, by the rules by which data planes let clients in. Admitted
 * keys are remembered until a change may concern them, so that routes are answered while the database is away. Refusals
 * are not remembered. Thread-safe.
 */
@Singleton
public final class Admissions {
    /** Most admissions kept, about 1 kB each. */
    private static final int KEPT = 20_000;

    private final Resolutions resolver;
    private final KeyOwners owners;
    private final AccountPlacer accounts;
    private final Refusals refusals;
    private final Clock clock;
    private final Cache<Admitted.RouteQuestion, Admitted> kept =
            Caffeine.newBuilder().maximumSize(KEPT).build();
    private volatile long heard;

    Admissions(Resolutions resolver, KeyOwners owners, AccountPlacer accounts, Refusals refusals, Clock clock) {
        this.resolver = resolver;
        this.owners = owners;
        this.accounts = accounts;
        this.refusals = refusals;
        this.clock = clock;
    }

    /** An admission that needs no query to the database; empty if the database must be asked. */
    Optional<Admitted> known(Admitted.RouteQuestion question) {
        return Optional.ofNullable(kept.getIfPresent(question)).filter(one -> !one.isDue(clock.instant()));
    }

    /** Whether the database must be asked again about an admission. */
    boolean isDue(Admitted admitted) {
        return admitted.isDue(clock.instant());
    }

    /**
     * Admits a key, asking the database if necessary.
     *
     * @throws StatusRuntimeException if the key is refused
     */
    Admitted admit(Admitted.RouteQuestion question) {
        Admitted known = kept.getIfPresent(question);
        if (known == null) {
            Admitted admitted = new Admitted(question, ask(question));
            kept.put(question, admitted);
            outdateIfBehind(admitted);
            return admitted;
        }
        renew(known);
        return known;
    }

    /**
     * Asks the database again if necessary. While the database does not answer, its last answer holds until it expires.
     *
     * @throws StatusRuntimeException if the key is refused now
     */
    void renew(Admitted admitted) {
        if (!isDue(admitted)) {
            return;
        }
        try {
            admitted.renew(ask(admitted.question()));
            outdateIfBehind(admitted);
        } catch (StatusRuntimeException e) {
            boolean away = e.getStatus().getCode() == Status.Code.UNAVAILABLE;
            if (away && admitted.terms().holds(clock.instant())) {
                return;
            }
            kept.invalidate(admitted.question());
            throw e;
        }
    }

    /** The admission may have changed between reading it and keeping it: then it counts as out of date. */
    private void outdateIfBehind(Admitted admitted) {
        if (admitted.terms().change() < heard) {
            admitted.outdate();
        }
    }

    private Admitted.Terms ask(Admitted.RouteQuestion question) {
        String resource = question.resourceName();
        try {
            DatabaseAccountResolver.AccountResolution resolution = resolver.resolve(
                    owners.party(question.credential()),
                    question.credential().keyId(),
                    question.credential().sha256().toByteArray(),
                    resource,
                    "");
            return switch (resolution.resolved()) {
                case Resolved.UnknownKey(boolean expired) -> {
                    refusals.offerOfStranger(
                            refused(question, null, expired ? "the key has expired" : "no such key, or not any more"));
                    throw Status.UNAUTHENTICATED
                            .withDescription(unknown(expired))
                            .asRuntimeException();
                }
                case Resolved.NotGranted(String tenant, var _, boolean notReady) -> {
                    refusals.offer(refused(question, tenant, notReady ? "not ready" : "not granted"));
                    throw notReady ? notReady(resource) : notGranted();
                }
                case Resolved.Granted granted ->
                    new Admitted.Terms(
                            accounts.find(resource, true)
                                    .orElseThrow(Admissions::notGranted)
                                    .constraints(),
                            end(granted.rights()),
                            resolution.change());
            };
        } catch (StatusRuntimeException e) {
            throw e;
        } catch (RuntimeException e) {
            throw CallFailure.of(e);
        }
    }

    /** The message for the holder of the secret of a key that is no longer good. */
    static String unknown(boolean expired) {
        return expired
                ? "the API key has expired: ask the tenant's admin for a new one"
                : "the API key is unknown or revoked";
    }

    /** The refusal, the same for an account that does not exist and one that the key may not use. */
    private static StatusRuntimeException notGranted() {
        return Status.PERMISSION_DENIED
                .withDescription("resource_name: not known, or not granted to this key")
                .asRuntimeException();
    }

    /** The refusal for a key that has rights on the account, and for no other. */
    private static StatusRuntimeException notReady(String resource) {
        return Status.PERMISSION_DENIED
                .withDescription("resource_name: no trial of the storage of " + resource
                        + " has succeeded yet; kv admin get account " + resource + " has the report")
                .asRuntimeException();
    }

    /** The end of the last of these rights; null if one of them never ends. */
    private static @Nullable Instant end(List<Resolved.Right> rights) {
        return rights.stream().anyMatch(right -> right.expiresAt() == null)
                ? null
                : rights.stream()
                        .map(Resolved.Right::expiresAt)
                        .filter(Objects::nonNull)
                        .max(Instant::compareTo)
                        .orElse(null);
    }

    private static RefusedAction refused(Admitted.RouteQuestion question, @Nullable String tenant, String reason) {
        return new RefusedAction(
                "key " + question.credential().keyId(), null, tenant, "routes of " + question.resourceName(), reason);
    }

    /**
     * Receives changes.
     *
     * @param news lowest first
     * @param last the number of the last change; lower than before if the database is of an earlier moment
     * @param reset whether anything may have changed
     */
    void hear(List<Change> news, long last, boolean reset) {
        heard = last;
        kept.asMap().values().forEach(admitted -> outdate(admitted, news, reset));
    }

    /** Marks an admission as out of date if these changes may concern it. */
    static void outdate(Admitted admitted, List<Change> news, boolean reset) {
        if (reset || news.stream().anyMatch(change -> touches(change, admitted.question()))) {
            admitted.outdate();
        }
    }

    private static boolean touches(Change change, Admitted.RouteQuestion question) {
        return change.keyIds().contains(question.credential().keyId())
                || change.resourceNames().contains(question.resourceName())
                || change.resourceNames().contains(Affected.ALL);
    }
}
