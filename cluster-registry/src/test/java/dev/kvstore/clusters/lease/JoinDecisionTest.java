package dev.kvstore.clusters.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.clusters.fleet.Capacity;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Where a process comes in: {@code eu-a/p0}, at {@code here:1}. */
class JoinDecisionTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant LATER = NOW.plusNanos(1_000);
    private static final UUID LEASE = new UUID(1, 2);
    private static final Registration JOINING = new Registration(
            "eu-a", "p0", "this-instance", "here:1", "here:1", null, new Capacity(1, 1, 0, 0, 1), "token", "1");

    private static Occupant occupant(String name, String address, String instance, Instant end) {
        return new Occupant("eu-a", name, address, false, new Occupant.HeldLease(LEASE, instance, end));
    }

    private static JoinDecision place(Occupant... there) {
        return JoinDecision.of(JOINING, List.of(there), NOW);
    }

    @Test
    void whereNobodyIsItIsFree() {
        assertThat(place()).isEqualTo(new JoinDecision.Free(null));
    }

    @Test
    void theSameInstanceIsKnownEvenIfItsLeaseHasEnded() {
        assertThat(place(occupant("p0", "here:1", "this-instance", LATER)))
                .isEqualTo(new JoinDecision.KnownMember(LEASE));
        assertThat(place(occupant("p0", "here:1", "this-instance", NOW)))
                .isEqualTo(new JoinDecision.KnownMember(LEASE));
    }

    @Test
    void whoWasStartedAnewTakesItsOwnPlace() {
        assertThat(place(occupant("p0", "here:1", "instance-before", LATER))).isEqualTo(new JoinDecision.Free(null));
    }

    @Test
    void aNameIsTakenUntilItsLeaseEnds() {
        assertThat(place(occupant("p0", "there:1", "other", LATER)))
                .isEqualTo(
                        new JoinDecision.OtherMember("process: another instance of eu-a/p0 holds a lease at there:1"));
        assertThat(place(occupant("p0", "there:1", "other", NOW))).isEqualTo(new JoinDecision.Free(null));
    }

    @Test
    void anAddressIsTakenUntilItsLeaseEnds() {
        Occupant lapsed = occupant("p1", "here:1", "other", NOW);

        assertThat(place(occupant("p1", "here:1", "other", LATER)))
                .isEqualTo(new JoinDecision.OtherMember("address: eu-a/p1 holds a lease at here:1"));
        assertThat(place(lapsed)).isEqualTo(new JoinDecision.Free(lapsed));
    }

    @Test
    void theSameNameInAnotherClusterIsAnother() {
        Occupant elsewhere =
                new Occupant("us-a", "p0", "here:1", false, new Occupant.HeldLease(LEASE, "this-instance", LATER));

        assertThat(place(elsewhere))
                .isEqualTo(new JoinDecision.OtherMember("address: us-a/p0 holds a lease at here:1"));
    }

    @Test
    void whatAnOperatorRegisteredGoesForNobodyElse() {
        Occupant declared = new Occupant("eu-a", "p1", "here:1", true, null);
        Occupant own = new Occupant("eu-a", "p0", "there:1", true, null);

        assertThat(place(declared))
                .isInstanceOfSatisfying(
                        JoinDecision.OtherMember.class,
                        taken -> assertThat(taken.reason()).startsWith("address: here:1 is registered as eu-a/p1"));
        assertThat(place(own)).isEqualTo(new JoinDecision.Free(null));
    }
}
