package dev.kvstore.dataplane.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.account.AccountResolver;
import dev.kvstore.dataplane.account.Credential;
import dev.kvstore.dataplane.account.KeyStanding;
import dev.kvstore.dataplane.account.Party;
import dev.kvstore.dataplane.account.Resolution;
import dev.kvstore.dataplane.call.Strangers;
import dev.kvstore.listener.CallerConnection;
import dev.kvstore.listener.HeldBytes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** How many keys are asked about, by a clock and answers that come when the test says. */
final class StrangersLimitsTest {
    private final AtomicLong clock = new AtomicLong();
    private final AtomicInteger questions = new AtomicInteger();
    private final List<Runnable> underWay = new ArrayList<>();
    private final List<KeyStanding> heard = new ArrayList<>();
    private final Strangers strangers = new Strangers(new Asked(questions), clock::get, underWay::add);

    @Test
    void callsWithOneKeyWaitForOneAnswer() {
        Connection connection = new Connection("a");

        assertThat(ask("good-1", connection)).isTrue();
        assertThat(ask("good-1", new Connection("b"))).isTrue();
        assertThat(strangers.waiting()).isEqualTo(2);
        answer();

        assertThat(questions).hasValue(1);
        assertThat(heard).containsExactly(KeyStanding.GOOD, KeyStanding.GOOD);
        assertThat(strangers.waiting()).isZero();
    }

    @Test
    void aConnectionAnAddressAndAllHaveSoManyKeysAskedAboutAtATime() {
        Connection connection = new Connection("a");
        for (int i = 0; i < Strangers.KEYS_OF_CONNECTION; i++) {
            assertThat(ask("good-" + i, connection)).isTrue();
        }
        assertThat(ask("good-x", connection)).isFalse();

        for (int i = Strangers.KEYS_OF_CONNECTION; i < Strangers.KEYS_OF_ADDRESS; i++) {
            assertThat(ask("good-" + i, new Connection("a"))).isTrue();
        }
        assertThat(ask("good-x", new Connection("a"))).isFalse();

        for (int i = Strangers.KEYS_OF_ADDRESS; i < Strangers.KEYS; i++) {
            assertThat(ask("good-" + i, new Connection("b" + i))).isTrue();
        }
        assertThat(ask("good-x", new Connection("c"))).isFalse();

        answer();
        assertThat(ask("good-x", connection)).isTrue();
    }

    @Test
    void anAddressThatShowsManyUnknownKeysHasToWaitAndNoOther() {
        for (int i = 0; i <= Strangers.UNKNOWN_BURST; i++) {
            assertThat(ask("unknown-" + i, new Connection("a"))).isTrue();
            answer();
        }

        assertThat(ask("unknown-x", new Connection("a"))).isFalse();
        assertThat(ask("good-x", new Connection("b"))).isTrue();

        clock.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(ask("good-y", new Connection("a"))).isTrue();
    }

    @Test
    void unknownKeysOfManyAddressesKeepNoAddressOutThatShowedNone() {
        for (int i = 0; i < Strangers.ALL_UNKNOWN_BURST + 20; i++) {
            boolean _ = ask("unknown-" + i, new Connection("a" + i % 40));
            answer();
        }

        assertThat(ask("good-x", new Connection("a1"))).isFalse();
        assertThat(ask("good-x", new Connection("b"))).isTrue();
    }

    @Test
    void goodKeysAreNeverTooMany() {
        for (int i = 0; i <= 2 * Strangers.ALL_UNKNOWN_BURST; i++) {
            assertThat(ask("good-" + i, new Connection("a"))).isTrue();
            answer();
        }
    }

    private boolean ask(String keyId, CallerConnection from) {
        return strangers.ask(new Credential(keyId, "sha"), from, heard::add);
    }

    private void answer() {
        List<Runnable> now = List.copyOf(underWay);
        underWay.clear();
        now.forEach(Runnable::run);
    }

    private record Asked(AtomicInteger questions) implements AccountResolver {
        @Override
        public Party party(Credential credential) {
            return Party.NOBODY;
        }

        @Override
        public KeyStanding standing(Credential credential) {
            return KeyStanding.UNHEARD;
        }

        @Override
        public KeyStanding identify(Credential credential) {
            questions.incrementAndGet();
            return credential.keyId().startsWith("good") ? KeyStanding.GOOD : KeyStanding.UNKNOWN;
        }

        @Override
        public int count() {
            return 0;
        }

        @Override
        public Resolution resolve(Credential credential, String resourceName) {
            return new Resolution.NotGranted(false);
        }

        @Override
        public Resolution known(Credential credential, String resourceName) {
            return resolve(credential, resourceName);
        }
    }

    private static final class Connection implements CallerConnection {
        private final String origin;

        Connection(String origin) {
            this.origin = origin;
        }

        @Override
        public Object origin() {
            return origin;
        }

        @Override
        public boolean admit(Object holder) {
            return true;
        }

        @Override
        public void answered() {}

        @Override
        public void refused() {}

        @Override
        public void sendElsewhere() {}

        @Override
        public HeldBytes held() {
            return new HeldBytes();
        }
    }
}
