package dev.kvstore.doctor.service;

import dev.kvstore.client.KvClient;
import dev.kvstore.client.KvClientBuilder;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.RetryOptions;
import dev.kvstore.doctor.finding.Check;
import dev.kvstore.doctor.finding.CheckOutcome;
import dev.kvstore.doctor.finding.FindingKind;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** Whether a key may use a resource, by one lookup of a block that nobody has. */
public record KeyCheck(EngineAccess access, Duration patience) implements Check {
    private static final int BLOCK = 16;
    private static final Partition PARTITION = Partition.of("kv-doctor", BLOCK);

    @Override
    public String subject() {
        return access.toString();
    }

    @Override
    public CheckOutcome look() {
        try (KvClient client = client()) {
            var _ = client.lookup(PARTITION, BlockChain.of(PARTITION, Tokens.of(new int[BLOCK])));
            return CheckOutcome.SOUND;
        } catch (KvStoreException e) {
            return switch (e.code()) {
                case UNAUTHENTICATED ->
                    message(e).toLowerCase(Locale.ROOT).contains("expired")
                            ? faulty(FindingKind.KEY_EXPIRED, "the API key has expired")
                            : faulty(FindingKind.KEY_REFUSED, "the API key is not known, or was revoked");
                case PERMISSION_DENIED ->
                    faulty(FindingKind.RESOURCE_REFUSED, "there is no such resource, or not for this key");
                case UNIMPLEMENTED -> faulty(FindingKind.WRONG_PORT, "the port does not speak this service's gRPC");
                default -> faulty(FindingKind.SERVICE_FAILS, message(e));
            };
        } catch (IllegalArgumentException e) {
            return faulty(FindingKind.VARIABLES_CONFLICT, String.valueOf(e.getMessage()));
        }
    }

    private KvClient client() {
        KvClientBuilder builder = KvClient.builder()
                .resource(access.resource())
                .apiKey(access.key())
                .retry(RetryOptions.NONE)
                .deadline(patience)
                .noRouteCache();
        if (access.endpoints().isEmpty()) {
            builder.controlPlane(names(access.controlPlanes())).region(access.region());
        } else {
            builder.endpoints(names(access.endpoints()));
        }
        Path authorities = access.trust().authorities();
        if (authorities != null) {
            builder.trust(authorities);
        } else if (access.trust().plaintext()) {
            builder.plaintextAnywhere();
        }
        return builder.build();
    }

    private static String[] names(List<ServiceAddress> addresses) {
        return addresses.stream().map(ServiceAddress::toString).toArray(String[]::new);
    }

    private static String message(KvStoreException e) {
        return Objects.requireNonNullElse(e.getMessage(), e.toString());
    }

    private CheckOutcome faulty(FindingKind kind, String problem) {
        return CheckOutcome.faulty(kind, subject(), problem);
    }
}
