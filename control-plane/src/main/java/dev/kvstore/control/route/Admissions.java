package dev.kvstore.control.route;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.kvstore.accounts.resolve.DatabaseAccountResolver;
import dev.kvstore.accounts.resolve.Resolved;
import dev.kvstore.admin.change.Affected;
import dev.kvstore.admin.change.Change;
import dev.kvstore.admin.refusal.Refusals;
import dev.kvstore.admin.refusal.Refused;
import dev.kvstore.control.resolve.Failure;
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
 * Knows who may know the routes of what, by the rules by which data planes let clients in. Who was let in once is kept until
 * something changes that may touch it, so that routes are answered while the database does not. Refusals are not kept.
 * Thread-safe.
 */
@Singleton
public final class Admissions {
    /** About 1 kB each. */
    private static final int KEPT = 20_000;

    private final Resolutions resolver;
    private final Accounts accounts;
    private final Refusals refusals;
    private final Clock clock;
    private final Cache<Admitted.Question, Admitted> kept =
            Caffeine.newBuilder().maximumSize(KEPT).build();
    private volatile long heard;

    Admissions(Resolutions resolver, Accounts accounts, Refusals refusals, Clock clock) {
        this.resolver = resolver;
        this.accounts = accounts;
        this.refusals = refusals;
        this.clock = clock;
    }

    /** One that is good without asking the database; empty if it has to be asked. */
    Optional<Admitted> known(Admitted.Question question) {
        return Optional.ofNullable(kept.getIfPresent(question)).filter(one -> !one.isDue(clock.instant()));
    }

    /** Whether the database has to be asked again about one. */
    boolean isDue(Admitted admitted) {
        return admitted.isDue(clock.instant());
    }

    /**
     * Lets in, asking the database if need be.
     *
     * @throws StatusRuntimeException why not
     */
    Admitted admit(Admitted.Question question) {
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
     * Asks the database again if need be. While that does not answer, what it said holds for as long as it said.
     *
     * @throws StatusRuntimeException why it is good no more
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

    /** What it was read from may have changed before anybody who hears of changes could find it. */
    private void outdateIfBehind(Admitted admitted) {
        if (admitted.terms().change() < heard) {
            admitted.outdate();
        }
    }

    private Admitted.Terms ask(Admitted.Question question) {
        String resource = question.resourceName();
        try {
            DatabaseAccountResolver.Answer answer = resolver.resolve(
                    question.credential().keyId(),
                    question.credential().sha256().toByteArray(),
                    resource,
                    "");
            return switch (answer.resolved()) {
                case Resolved.UnknownKey _ -> {
                    refusals.offerOfStranger(refused(question, null, "no such key, or not any more"));
                    throw Status.UNAUTHENTICATED
                            .withDescription("the API key is not known, or not any more")
                            .asRuntimeException();
                }
                case Resolved.NotGranted(String tenant, var _) -> {
                    refusals.offer(refused(question, tenant, "not granted"));
                    throw notGranted();
                }
                case Resolved.Granted granted ->
                    new Admitted.Terms(
                            accounts.find(resource, true)
                                    .orElseThrow(Admissions::notGranted)
                                    .constraints(),
                            end(granted.rights()),
                            answer.change());
            };
        } catch (StatusRuntimeException e) {
            throw e;
        } catch (RuntimeException e) {
            throw Failure.of(e);
        }
    }

    /** One text for what is not there and what is not for this key. */
    private static StatusRuntimeException notGranted() {
        return Status.PERMISSION_DENIED
                .withDescription("resource_name: not known, or not granted to this key")
                .asRuntimeException();
    }

    /** When the last of them ends; null if one never does. */
    private static @Nullable Instant end(List<Resolved.Right> rights) {
        return rights.stream().anyMatch(right -> right.expiresAt() == null)
                ? null
                : rights.stream()
                        .map(Resolved.Right::expiresAt)
                        .filter(Objects::nonNull)
                        .max(Instant::compareTo)
                        .orElse(null);
    }

    private static Refused refused(Admitted.Question question, @Nullable String tenant, String reason) {
        return new Refused(
                "key " + question.credential().keyId(), null, tenant, "routes of " + question.resourceName(), reason);
    }

    /**
     * Takes in what has changed.
     *
     * @param news lowest first
     * @param last the number of the last change; lower than before if the database is of an earlier moment
     * @param reset more has changed than can be told
     */
    void hear(List<Change> news, long last, boolean reset) {
        heard = last;
        kept.asMap().values().forEach(admitted -> outdate(admitted, news, reset));
    }

    /** Has the database asked again about one that these changes may touch. */
    static void outdate(Admitted admitted, List<Change> news, boolean reset) {
        if (reset || news.stream().anyMatch(change -> touches(change, admitted.question()))) {
            admitted.outdate();
        }
    }

    private static boolean touches(Change change, Admitted.Question question) {
        return change.keyIds().contains(question.credential().keyId())
                || change.resourceNames().contains(question.resourceName())
                || change.resourceNames().contains(Affected.ALL);
    }
}
