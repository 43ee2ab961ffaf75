package dev.kvstore.accounts.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

/** When the storage of an account is to be proven, and what a trial changes. */
final class ReplicaTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant LATER = NOW.plusSeconds(60);
    private static final Replica.ReplicaConfig PLACE =
            place("https://a.blob.core.windows.net", "one", "managed", false);

    private int texts;
    private final Replica replica = new Replica("account", "region");

    private static Replica.ReplicaConfig place(String endpoint, String container, String credential, boolean vouched) {
        return new Replica.ReplicaConfig(new StorageRow(endpoint, container, credential, false), vouched);
    }

    private String random() {
        return "text-" + texts++;
    }

    private void proven() {
        replica.place(PLACE, this::random, NOW);
        replica.report(true, "{}", NOW, LATER);
    }

    @Test
    void aNewPlaceIsToProveAndUnproven() {
        replica.place(PLACE, this::random, NOW);

        assertThat(replica.isToProve()).isTrue();
        assertThat(replica.state()).isEqualTo(ReplicaState.UNPROVEN);
        assertThat(replica.nonce()).isNotEqualTo(replica.attempt());
    }

    @Test
    void aPlaceThatAPlatformAdminVouchesForIsNotToProve() {
        replica.place(
                place(PLACE.storage().endpoint(), PLACE.storage().container(), "managed", true), this::random, NOW);

        assertThat(replica.isToProve()).isFalse();
    }

    @Test
    void aTrialThatWentWellProvesThePlace() {
        proven();

        assertThat(replica.isToProve()).isFalse();
        assertThat(replica.state()).isEqualTo(ReplicaState.READY);
    }

    @Test
    void aTrialThatFailedProvesNothing() {
        replica.place(PLACE, this::random, NOW);
        replica.report(false, "{}", NOW, LATER);

        assertThat(replica.isToProve()).isTrue();
        assertThat(replica.state()).isEqualTo(ReplicaState.FAILING);
    }

    @Test
    void storageThatWasReadyStaysReadyWhenALaterTrialFails() {
        proven();
        replica.report(false, "{}", LATER, LATER.plusSeconds(60));

        assertThat(replica.state()).isEqualTo(ReplicaState.READY);
    }

    @Test
    void anotherCredentialIsTriedAnewAndNeedsNoNewProof() {
        proven();
        String nonce = replica.nonce();
        String attempt = replica.attempt();
        replica.place(
                place(PLACE.storage().endpoint(), PLACE.storage().container(), "keyvault:other", false),
                this::random,
                LATER);

        assertThat(replica.state()).isEqualTo(ReplicaState.UNPROVEN);
        assertThat(replica.isToProve()).isFalse();
        assertThat(replica.nonce()).isEqualTo(nonce);
        assertThat(replica.attempt()).isNotEqualTo(attempt);
    }

    @Test
    void anotherContainerIsProvenAnewWithAnotherNonce() {
        proven();
        String nonce = replica.nonce();
        replica.place(place(PLACE.storage().endpoint(), "two", "managed", false), this::random, LATER);

        assertThat(replica.isToProve()).isTrue();
        assertThat(replica.nonce()).isNotEqualTo(nonce);
    }

    @Test
    void aPlaceThatNobodyVouchesForAnyMoreIsProvenAnew() {
        replica.place(
                place(PLACE.storage().endpoint(), PLACE.storage().container(), "managed", true), this::random, NOW);
        replica.report(true, "{}", NOW, LATER);
        replica.place(PLACE, this::random, LATER);

        assertThat(replica.isToProve()).isTrue();
        assertThat(replica.state()).isEqualTo(ReplicaState.UNPROVEN);
    }

    @Test
    void theSamePlaceAgainChangesNothing() {
        proven();
        String attempt = replica.attempt();
        replica.place(PLACE, this::random, LATER);

        assertThat(replica.state()).isEqualTo(ReplicaState.READY);
        assertThat(replica.attempt()).isEqualTo(attempt);
    }

    @Test
    void aTenantThatProvesAPlaceAnewIsGivenAnotherNonce() {
        proven();
        String nonce = replica.nonce();
        replica.prove(this::random, LATER);

        assertThat(replica.isToProve()).isTrue();
        assertThat(replica.nonce()).isNotEqualTo(nonce);
        assertThat(replica.report()).isNull();
    }
}
