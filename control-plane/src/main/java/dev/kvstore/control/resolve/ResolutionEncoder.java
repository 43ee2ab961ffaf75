package dev.kvstore.control.resolve;

import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import dev.kvstore.accounts.account.Limits;
import dev.kvstore.accounts.resolve.Resolved;
import dev.kvstore.protocol.control.v1.Account;
import dev.kvstore.protocol.control.v1.Granted;
import dev.kvstore.protocol.control.v1.NotGranted;
import dev.kvstore.protocol.control.v1.ReadThrough;
import dev.kvstore.protocol.control.v1.ResolveResponse;
import dev.kvstore.protocol.control.v1.Right;
import dev.kvstore.protocol.control.v1.UnknownKey;
import java.time.Instant;

/** Encodes the registry's answers for the wire. Stateless. */
final class ResolutionEncoder {
    private ResolutionEncoder() {}

    static ResolveResponse response(Resolved resolved, long change, Instant clock) {
        ResolveResponse.Builder response =
                ResolveResponse.newBuilder().setChange(change).setClock(timestamp(clock));
        switch (resolved) {
            case Resolved.UnknownKey(boolean expired) ->
                response.setUnknownKey(UnknownKey.newBuilder().setExpired(expired));
            case Resolved.NotGranted(String tenant, Instant expiresAt, boolean notReady) -> {
                NotGranted.Builder answer = NotGranted.newBuilder().setNotReady(notReady);
                if (expiresAt != null) {
                    answer.setExpiresAt(timestamp(expiresAt));
                }
                response.setTenant(tenant).setNotGranted(answer);
            }
            case Resolved.Granted granted ->
                response.setTenant(granted.keyTenant()).setGranted(granted(granted));
        }
        return response.build();
    }

    private static Granted granted(Resolved.Granted granted) {
        Limits limits = granted.limits();
        Account.Builder account = Account.newBuilder()
                .setResourceName(granted.resourceName())
                .setTenant(granted.tenant())
                .setStorage(StorageEncoder.wire(granted.storage()))
                .setLimits(dev.kvstore.protocol.control.v1.Limits.newBuilder()
                        .setOperations(limits.operations())
                        .setBytesPerSecond(limits.bytesPerSecond()));
        if (granted.readThrough() != null) {
            account.setReadThrough(readThrough(granted.readThrough()));
        }
        if (granted.maxOffline() != null) {
            account.setMaxOffline(duration(granted.maxOffline()));
        }
        Granted.Builder answer = Granted.newBuilder().setAccount(account);
        granted.rights().forEach(right -> answer.addRights(right(right)));
        return answer.build();
    }

    private static ReadThrough readThrough(Resolved.ReadThrough through) {
        return ReadThrough.newBuilder()
                .setRegion(through.region())
                .setStorage(StorageEncoder.wire(through.storage()))
                .setWithin(duration(through.within()))
                .build();
    }

    private static Duration duration(java.time.Duration duration) {
        return Duration.newBuilder()
                .setSeconds(duration.toSeconds())
                .setNanos(duration.toNanosPart())
                .build();
    }

    private static Right right(Resolved.Right right) {
        Right.Builder answer = Right.newBuilder()
                .setAccess(
                        switch (right.access()) {
                            case READ -> Right.Access.READ;
                            case WRITE -> Right.Access.WRITE;
                        });
        if (right.partition() != null) {
            answer.setPartition(right.partition());
        }
        if (right.expiresAt() != null) {
            answer.setExpiresAt(timestamp(right.expiresAt()));
        }
        return answer.build();
    }

    static Timestamp timestamp(Instant instant) {
        return Timestamp.newBuilder()
                .setSeconds(instant.getEpochSecond())
                .setNanos(instant.getNano())
                .build();
    }
}
