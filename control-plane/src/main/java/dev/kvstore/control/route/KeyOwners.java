package dev.kvstore.control.route;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.kvstore.accounts.resolve.DatabaseAccountResolver;
import dev.kvstore.accounts.resolve.Resolved;
import dev.kvstore.admin.change.Change;
import dev.kvstore.admin.change.ChangeSource;
import dev.kvstore.admin.refusal.Refusals;
import dev.kvstore.admin.refusal.RefusedAction;
import dev.kvstore.control.resolve.CallFailure;
import dev.kvstore.control.resolve.Resolutions;
import dev.kvstore.control.transport.CallerGroup;
import dev.kvstore.listener.FairSlots;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the tenant of a client's key from the headers of a call. Keys that were good are remembered until a change may
 * concern them, and longer while the database is away. A call with any other key waits, holding nothing but its
 * headers, until the database was asked about the key; addresses have equal shares of the calls that wait. Thread-safe.
 */
@Singleton
public final class KeyOwners {
    private static final Logger LOG = System.getLogger(KeyOwners.class.getName());

    /** Most keys kept, about 300 bytes each. */
    private static final int KEPT = 20_000;

    /** Most calls that wait. A client may begin with many calls, all of which wait for one answer. */
    static final int WAITING = 4_000;

    /** The tenant of a key that was good. */
    private static final class KeyTenant {
        private final CallerGroup tenant;
        private final @Nullable Instant end;
        private volatile boolean stale;

        KeyTenant(String tenant, @Nullable Instant end) {
            this.tenant = CallerGroup.tenant(tenant);
            this.end = end;
        }

        boolean holds(Instant now) {
            return end == null || now.isBefore(end);
        }
    }

    /** The known state of a key. */
    sealed interface KeyAnswer {
        /** The key is good, and of this tenant. */
        record Owned(CallerGroup tenant) implements KeyAnswer {}

        /** The key is not good, or the database could not be asked. */
        record Refused(StatusRuntimeException refusal) implements KeyAnswer {}
    }

    private record WaitingCall(Object origin, Consumer<KeyAnswer> then) {}

    private final Resolutions resolutions;
    private final Refusals refusals;
    private final Clock clock;
    private final Cache<ClientCredential, KeyTenant> kept =
            Caffeine.newBuilder().maximumSize(KEPT).build();
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final ReentrantLock lock = new ReentrantLock();
    private final FairSlots<WaitingCall> slots = new FairSlots<>(WAITING, 0);
    private final Map<ClientCredential, List<WaitingCall>> asked = new HashMap<>();
    private volatile long heard;

    KeyOwners(Resolutions resolutions, Refusals refusals, Clock clock) {
        this.resolutions = resolutions;
        this.refusals = refusals;
        this.clock = clock;
    }

    void start(@Observes StartupEvent started, ChangeSource source) {
        source.onChange(this::hear);
    }

    private void hear(List<Change> news, long last, boolean reset) {
        heard = last;
        if (reset || news.stream().anyMatch(change -> !change.keyIds().isEmpty())) {
            kept.asMap().forEach((credential, keyTenant) -> {
                if (reset || news.stream().anyMatch(change -> change.keyIds().contains(credential.keyId()))) {
                    keyTenant.stale = true;
                }
            });
        }
    }

    /** The tenant of a key that is good as far as this process knows; empty if the database must be asked. */
    Optional<CallerGroup> known(ClientCredential credential) {
        return Optional.ofNullable(kept.getIfPresent(credential))
                .filter(keyTenant -> !keyTenant.stale && keyTenant.holds(clock.instant()))
                .map(keyTenant -> keyTenant.tenant);
    }

    /** The party for which questions about a key count: its tenant, if this process knows it. */
    Object party(ClientCredential credential) {
        KeyTenant keyTenant = kept.getIfPresent(credential);
        return keyTenant == null ? credential.keyId() : keyTenant.tenant;
    }

    /**
     * Asks the database about a key, or waits for the answer to a query that is running already.
     *
     * @param origin of the connection, for its share
     * @param then receives the answer, on another thread; must not wait
     * @return false if too many calls wait
     */
    boolean ask(ClientCredential credential, Object origin, Consumer<KeyAnswer> then) {
        lock.lock();
        try {
            FairSlots.SlotHolder<WaitingCall> holder = slots.holder(origin);
            if (!slots.admits(holder)) {
                slots.release(holder);
                return false;
            }
            slots.began(holder);
            List<WaitingCall> already = asked.get(credential);
            if (already != null) {
                already.add(new WaitingCall(origin, then));
                return true;
            }
            asked.put(credential, new ArrayList<>(List.of(new WaitingCall(origin, then))));
        } finally {
            lock.unlock();
        }
        executor.execute(() -> answer(credential, origin));
        return true;
    }

    private void answer(ClientCredential credential, Object origin) {
        KeyAnswer answer;
        try {
            answer = new KeyAnswer.Owned(owner(credential, origin));
        } catch (StatusRuntimeException e) {
            answer = new KeyAnswer.Refused(e);
        } catch (RuntimeException | Error e) {
            answer = new KeyAnswer.Refused(CallFailure.of(e));
        }
        for (WaitingCall call : answered(credential)) {
            try {
                call.then.accept(answer);
            } catch (RuntimeException e) {
                LOG.log(Level.ERROR, "a call could not be started or refused", e);
            }
        }
    }

    private List<WaitingCall> answered(ClientCredential credential) {
        lock.lock();
        try {
            List<WaitingCall> calls = asked.remove(credential);
            if (calls == null) {
                return List.of();
            }
            for (WaitingCall call : calls) {
                FairSlots.SlotHolder<WaitingCall> holder = slots.holder(call.origin);
                slots.ended(holder);
                slots.release(holder);
            }
            return calls;
        } finally {
            lock.unlock();
        }
    }

    private CallerGroup owner(ClientCredential credential, Object origin) {
        KeyTenant before = kept.getIfPresent(credential);
        DatabaseAccountResolver.AccountResolution answer;
        try {
            answer = resolutions.resolve(
                    origin, credential.keyId(), credential.sha256().toByteArray(), "", "");
        } catch (RuntimeException e) {
            if (before != null && before.holds(clock.instant())) {
                return before.tenant;
            }
            throw e;
        }
        KeyTenant keyTenant = switch (answer.resolved()) {
            case Resolved.UnknownKey(boolean expired) -> throw unknown(credential, expired);
            case Resolved.NotGranted(String tenant, Instant end, boolean _) -> new KeyTenant(tenant, end);
            case Resolved.Granted granted -> new KeyTenant(granted.keyTenant(), null);
        };
        kept.put(credential, keyTenant);
        if (answer.change() < heard) {
            keyTenant.stale = true; // the key may have changed between reading and keeping it
        }
        return keyTenant.tenant;
    }

    private StatusRuntimeException unknown(ClientCredential credential, boolean expired) {
        kept.invalidate(credential);
        refusals.offerOfStranger(new RefusedAction(
                "key " + credential.keyId(),
                null,
                null,
                "routes",
                expired ? "the key has expired" : "no such key, or not any more"));
        return Status.UNAUTHENTICATED
                .withDescription(Admissions.unknown(expired))
                .asRuntimeException();
    }
}
