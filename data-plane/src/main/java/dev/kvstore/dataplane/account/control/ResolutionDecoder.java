package dev.kvstore.dataplane.account.control;

import com.google.protobuf.Timestamp;
import dev.kvstore.dataplane.account.Access;
import dev.kvstore.dataplane.account.Account;
import dev.kvstore.dataplane.account.Resolution;
import dev.kvstore.dataplane.account.Right;
import dev.kvstore.dataplane.account.Rights;
import dev.kvstore.protocol.control.v1.Granted;
import dev.kvstore.protocol.control.v1.Limits;
import dev.kvstore.protocol.control.v1.ReadThrough;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Translates the control plane's messages into the types of this process. Content that cannot be used is refused by the
 * name of its field. Stateless.
 */
final class ResolutionDecoder {
    private static final System.Logger LOG = System.getLogger(ResolutionDecoder.class.getName());

    private ResolutionDecoder() {}

    /** @throws IllegalArgumentException if storage or rights cannot be used */
    static Resolution.Granted granted(Granted granted, String keyId) {
        Rights rights = rights(granted);
        if (rights.isEmpty()) {
            throw new IllegalArgumentException("rights: are none that this version knows");
        }
        return new Resolution.Granted(
                new Account(
                        granted.getAccount().getResourceName(),
                        granted.getAccount().getTenant(),
                        StorageDecoder.location(
                                granted.getAccount().getStorage(),
                                granted.getAccount().getResourceName()),
                        limits(granted.getAccount().getLimits()),
                        readThrough(granted.getAccount())),
                keyId,
                rights);
    }

    /** The account's read-through; null if it cannot be used, since the account is of use without it. */
    private static Account.@Nullable ReadThrough readThrough(dev.kvstore.protocol.control.v1.Account account) {
        if (!account.hasReadThrough()) {
            return null;
        }
        ReadThrough through = account.getReadThrough();
        try {
            return new Account.ReadThrough(
                    through.getRegion(),
                    StorageDecoder.location(through.getStorage(), account.getResourceName()),
                    Duration.ofSeconds(
                            through.getWithin().getSeconds(),
                            through.getWithin().getNanos()));
        } catch (IllegalArgumentException e) {
            LOG.log(
                    Level.WARNING,
                    "{0} is not read through to {1}: {2}",
                    account.getResourceName(),
                    through.getRegion(),
                    e.getMessage());
            return null;
        }
    }

    /** How long an account's answers may be used without a confirmation; {@link ResolverBounds#SURVIVAL} at most. */
    static Duration maxOffline(dev.kvstore.protocol.control.v1.Account account) {
        long seconds = account.getMaxOffline().getSeconds();
        if (!account.hasMaxOffline() || seconds >= ResolverBounds.SURVIVAL.toSeconds()) {
            return ResolverBounds.SURVIVAL;
        }
        return seconds < 0
                ? Duration.ZERO
                : Duration.ofSeconds(
                        seconds, Math.max(0, account.getMaxOffline().getNanos()));
    }

    /** The limits of an account, unsigned on the wire; larger ones count as the largest of this type. */
    private static Account.Limits limits(Limits limits) {
        long operations = Integer.toUnsignedLong(limits.getOperations());
        long bytes = limits.getBytesPerSecond();
        return new Account.Limits((int) Math.min(Integer.MAX_VALUE, operations), bytes < 0 ? Long.MAX_VALUE : bytes);
    }

    /** Rights that only a later version knows are not granted here. */
    private static Rights rights(Granted granted) {
        List<Right> rights = new ArrayList<>();
        for (dev.kvstore.protocol.control.v1.Right right : granted.getRightsList()) {
            Access access = switch (right.getAccess()) {
                case READ -> Access.READ;
                case WRITE -> Access.WRITE;
                case ACCESS_UNSPECIFIED, UNRECOGNIZED -> null;
            };
            if (access != null) {
                rights.add(new Right(
                        access,
                        right.hasPartition() ? right.getPartition() : null,
                        right.hasExpiresAt() ? instant(right.getExpiresAt()) : null));
            }
        }
        return Rights.of(rights);
    }

    static Instant instant(Timestamp timestamp) {
        return Instant.ofEpochSecond(timestamp.getSeconds(), timestamp.getNanos());
    }
}
