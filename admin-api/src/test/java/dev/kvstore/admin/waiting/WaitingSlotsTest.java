package dev.kvstore.admin.waiting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.caller.Role;
import dev.kvstore.admin.problem.ProblemException;
import org.junit.jupiter.api.Test;

class WaitingSlotsTest {
    private static final Caller ANN = new Caller("ann", Role.TENANT_ADMIN, "acme");
    private static final Caller BOB = new Caller("bob", Role.VIEWER, "acme");
    private static final Caller EVE = new Caller("ann", Role.TENANT_ADMIN, "other");
    private static final Caller ADMIN = new Caller("ann", Role.PLATFORM_ADMIN, null);
    private static final Caller OPERATOR = new Caller("operator", Role.PLATFORM_ADMIN, null);

    private final WaitingSlots places = new WaitingSlots(3, 2);

    @Test
    void aTenantHasItsShareWhoeverAsksForIt() {
        places.take(ANN);
        places.take(BOB);

        assertRefused(ANN, "2 calls of yours wait already");
        assertRefused(BOB, "2 calls of yours wait already");
        assertThatCode(() -> places.take(EVE)).doesNotThrowAnyException();
    }

    @Test
    void callersOfTheWholePlatformHaveAShareEach() {
        places.take(ADMIN);
        places.take(ADMIN);

        assertRefused(ADMIN, "2 calls of yours wait already");
        assertThatCode(() -> places.take(OPERATOR)).doesNotThrowAnyException();
    }

    @Test
    void allTogetherHaveNoMoreThanThereAre() {
        places.take(ANN);
        places.take(ANN);
        places.take(EVE);

        assertRefused(ADMIN, "3 calls wait already");
    }

    @Test
    void aPlaceThatIsGivenBackIsForTheNext() {
        places.take(ANN);
        places.take(ANN);
        // A refused call has taken no place of those of all.
        assertRefused(ANN, "2 calls of yours wait already");

        places.giveBack(ANN);

        places.take(ANN);
        places.take(EVE);
        assertRefused(EVE, "3 calls wait already");
    }

    private void assertRefused(Caller caller, String reason) {
        assertThatThrownBy(() -> places.take(caller)).isInstanceOfSatisfying(ProblemException.class, e -> {
            assertThat(e.problem().status()).isEqualTo(503);
            assertThat(e.problem().detail()).startsWith(reason);
        });
    }
}
