package dev.kvstore.dataplane.call;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kvstore.dataplane.account.Account;
import dev.kvstore.dataplane.account.Party;
import dev.kvstore.dataplane.account.StorageLocation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

final class CallAdmissionTest {
    private final AtomicLong clock = new AtomicLong();
    private final List<String> ended = new ArrayList<>();
    private final CallAdmission operations = new CallAdmission(2, 2, clock::get, new SplittableRandom(1));

    @Test
    void whatFindsNoPlaceIsNotOpened() {
        running("a");
        running("b");

        assertThat(place("c").open()).isFalse();
        assertThat(operations.running()).isEqualTo(2);
    }

    @Test
    void whatLeavesMakesRoom() {
        CallAdmission.CallSlot first = running("a");
        running("b");

        first.leave();

        assertThat(running("c").run()).isTrue();
    }

    @Test
    void whatWaitsTakesNoPlace() {
        running("a").pause();
        running("b");

        assertThat(running("c").run()).isTrue();
        assertThat(operations.waiting()).isEqualTo(1);
    }

    @Test
    void whatHasWaitedLongestEndsForOthers() {
        CallAdmission.CallSlot first = place("a");
        first.open();
        place("b").open();
        place("c").open();

        assertThat(ended).containsExactly("a");
        assertThat(first.run()).isFalse();
        assertThat(operations.waiting()).isEqualTo(2);
    }

    @Test
    void aCallThatWorksOnTwoThingsAtATimeTakesTwoPlaces() {
        CallAdmission.CallSlot wide = running("a");

        CallAdmission.CallSlot.ExtraSlot second = requireNonNull(wide.widen());
        assertThat(operations.running()).isEqualTo(2);
        assertThat(wide.widen()).isNull();
        assertThat(place("b").open()).isFalse();

        second.close();
        assertThat(running("c").run()).isTrue();
        wide.leave();
        assertThat(operations.running()).isEqualTo(1);
    }

    @Test
    void aTenantBelowItsShareIsServedWhereAnotherHasAllPlaces() {
        Party greedy = Party.tenant("greedy");
        Party modest = Party.tenant("modest");
        CallAdmission.CallSlot first = running(greedy, "a");
        running(greedy, "b");
        assertThat(operations.mostOfOneParty()).isEqualTo(2);

        assertThat(running(modest, "c").run()).isTrue();
        assertThat(operations.parties()).isEqualTo(2);
        assertThat(place(modest, "d").open()).isFalse();
        first.leave();

        assertThat(place(greedy, "e").open()).isFalse();
        assertThat(operations.running()).isEqualTo(2);
    }

    @Test
    void whatEndsForOthersThatWaitIsOfTheTenantThatHasMost() {
        Party greedy = Party.tenant("greedy");
        Party modest = Party.tenant("modest");
        place(modest, "a").open();
        place(greedy, "b").open();
        place(greedy, "c").open();

        assertThat(ended).containsExactly("b");
        assertThat(operations.waiting()).isEqualTo(2);
    }

    @Test
    void whatReturnsWithWorkInHandNeedsNoRoom() {
        CallAdmission.CallSlot first = running("a");
        first.pause();
        running("b");
        running("c");

        first.resume();

        assertThat(operations.running()).isEqualTo(3);
    }

    @Test
    void whatReturnsWithNothingInHandDoes() {
        CallAdmission.CallSlot first = running("a");
        first.pause();
        running("b");
        running("c");

        assertThat(first.run()).isFalse();
    }

    @Test
    void whatHasLeftStaysAway() {
        CallAdmission.CallSlot first = running("a");
        first.leave();
        first.resume();
        first.pause();
        first.leave();

        assertThat(operations.running()).isZero();
        assertThat(operations.waiting()).isZero();
    }

    @Property(tries = 200)
    void aHintIsWithinItsBoundsHoweverManyAskAndHoweverLongCallsTake(
            @ForAll @IntRange(min = 1, max = 500) int callers,
            @ForAll @IntRange(min = 0, max = 60_000) int millis,
            @ForAll long start,
            @ForAll long seed) {
        RetryHint hint = new RetryHint(new SplittableRandom(seed), start);
        hint.ended(Duration.ofMillis(millis).toNanos());
        for (int i = 0; i < callers; i++) {
            assertThat(hint.next(start + i, 10)).isBetween(RetryHint.LEAST, RetryHint.MOST.multipliedBy(2));
        }
    }

    @Test
    void callersAreToldToComeBackOneAfterTheOther() {
        RetryHint hint = new RetryHint(() -> 0, 0);
        for (int i = 0; i < 100; i++) {
            hint.ended(Duration.ofMillis(200).toNanos());
        }

        List<Duration> hints = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            hints.add(hint.next(0, 10));
        }

        // 10 places and 200 ms a call: one place every 20 ms.
        assertThat(hints).isSorted();
        assertThat(hints.getLast().minus(hints.getFirst())).isBetween(Duration.ofMillis(170), Duration.ofMillis(190));
    }

    @Test
    void whatFindsItsAccountAtItsLimitIsRefusedAndAnotherAccountIsNot() throws CallRefusal {
        running("a").join(limited("demo", 1));
        CallAdmission.CallSlot second = running("b");

        assertThatExceptionOfType(CallRefusal.class)
                .isThrownBy(() -> second.join(limited("demo", 1)))
                .withMessageContaining("1 calls of demo");
        second.join(limited("other", 1));

        assertThat(operations.refused(CallAdmission.AdmissionRefusal.ACCOUNT_OPERATIONS))
                .isEqualTo(1);
        assertThat(operations.refused(CallAdmission.AdmissionRefusal.OPERATIONS))
                .isZero();
    }

    @Test
    void whatWaitsOrLeavesOrGoesOverToAnotherAccountMakesRoomInItsOwn() throws CallRefusal {
        for (String how : List.of("pause", "leave", "join")) {
            CallAdmission.CallSlot first = running(how);
            first.join(limited("demo", 1));

            switch (how) {
                case "pause" -> first.pause();
                case "leave" -> first.leave();
                default -> first.join(limited("other", 1));
            }

            CallAdmission.CallSlot second = running("b");
            second.join(limited("demo", 1));
            first.leave();
            second.leave();
        }
        assertThat(operations.running()).isZero();
    }

    @Test
    void whatReturnsWithNothingInHandNeedsRoomInItsAccountToo() throws CallRefusal {
        CallAdmission.CallSlot first = running("a");
        first.join(limited("demo", 1));
        first.pause();
        running("b").join(limited("demo", 1));

        assertThat(first.run()).isFalse();
        assertThat(first.noRoom()).hasMessageContaining("demo");
        first.resume();
        assertThat(operations.running()).isEqualTo(2);
    }

    @Test
    void aLimitThatHasChangedIsThatOfTheNextCall() throws CallRefusal {
        running("a").join(limited("demo", 1));

        running("b").join(limited("demo", 2));

        assertThat(operations.refused(CallAdmission.AdmissionRefusal.ACCOUNT_OPERATIONS))
                .isZero();
    }

    @Test
    void whatAnAccountTakesIsRememberedAsLongAsItHasCalls() throws CallRefusal {
        running("a").join(limited("demo", 1));
        clock.addAndGet(AccountUsages.MEMORY.toNanos() * 2);

        assertThatExceptionOfType(CallRefusal.class)
                .isThrownBy(() -> running("b").join(limited("demo", 1)));
    }

    private static Account limited(String resourceName, int operations) {
        return new Account(
                resourceName,
                "tenant",
                new StorageLocation.Filesystem(Path.of("/nowhere")),
                new Account.Limits(operations, 0),
                null);
    }

    private CallAdmission.CallSlot place(String name) {
        return place(Party.NOBODY, name);
    }

    private CallAdmission.CallSlot place(Party party, String name) {
        return operations.place(party, () -> ended.add(name), _ -> {});
    }

    private CallAdmission.CallSlot running(String name) {
        return running(Party.NOBODY, name);
    }

    private CallAdmission.CallSlot running(Party party, String name) {
        CallAdmission.CallSlot place = place(party, name);
        place.open();
        place.run();
        return place;
    }
}
