package dev.kvstore.control.resolve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvstore.admin.change.Change;
import dev.kvstore.clusters.lease.ProcessScope;
import dev.kvstore.control.FakeCall;
import dev.kvstore.control.security.CallingDataPlane;
import dev.kvstore.protocol.control.v1.WatchResponse;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** {@link Telling}: no change is passed over, whatever fails meanwhile. */
class TellingTest {
    /** The changes that a receiver within the process heard. */
    private record HeardChange(List<Long> news, long last, boolean reset) {}

    private final TestChanges log = new TestChanges();
    private final Telling telling = new Telling(log);
    private final List<HeardChange> heard = new ArrayList<>();
    private boolean deaf;

    private void hear(List<Change> news, long last, boolean reset) {
        if (deaf) {
            throw new IllegalStateException("as a flaw may be");
        }
        heard.add(new HeardChange(news.stream().map(Change::id).toList(), last, reset));
    }

    private void begin(long... changes) {
        for (long change : changes) {
            log.add(change);
        }
        telling.add(this::hear);
        telling.tell();
        heard.clear();
    }

    @Test
    void theFirstTellingIsAReset() {
        log.add(7);
        telling.add(this::hear);

        telling.tell();

        assertThat(heard).containsExactly(new HeardChange(List.of(), 7, true));
    }

    @Test
    void withoutAnyChangeThereIsOneResetAndThenNothing() {
        begin();

        telling.tell();

        assertThat(heard).isEmpty();
    }

    @Test
    void aWatcherThatCannotBeCaughtUpTakesNoChangeFromAnybody() {
        begin(1);
        FollowingDataPlane slow = new FollowingDataPlane();
        FollowingDataPlane other = new FollowingDataPlane();
        slow.ready(false);
        telling.add(watcher(slow), 1);
        telling.add(watcher(other), 1);
        log.add(2);
        telling.tell();
        slow.ready(true);
        log.add(3);
        heard.clear();
        log.failures = 1;
        log.failing = 1;

        // It asks for 2 and 3, and gets no answer.
        assertThatThrownBy(telling::tell).hasMessage("the database does not answer");
        telling.tell();

        assertThat(heard.stream().flatMap(each -> each.news().stream())).containsExactly(3L);
        assertThat(slow.told).containsExactly("a2", "a3");
        assertThat(other.told).containsExactly("a2", "a3");
    }

    @Test
    void whoFailsIsToldOfAResetNext() {
        begin(1);
        deaf = true;
        log.add(2);
        telling.tell();
        deaf = false;

        telling.tell();

        assertThat(heard).containsExactly(new HeardChange(List.of(), 2, true));
    }

    @Test
    void aChangeThatComesBetweenTwoQuestionsIsHeardInTheNextBeat() {
        begin(1);
        log.meanwhile = 2;

        telling.tell();
        telling.tell();

        assertThat(heard).containsExactly(new HeardChange(List.of(2L), 2, false));
    }

    @Test
    void aDatabaseOfAnEarlierMomentIsAResetToItsPosition() {
        begin(1, 2, 3);
        log.changes.remove(3L);

        telling.tell();

        assertThat(heard).containsExactly(new HeardChange(List.of(), 2, true));
    }

    @Test
    void aWatcherThatIsToldInSeveralMessagesKnowsWhichIsTheLast() {
        begin(1);
        FollowingDataPlane client = new FollowingDataPlane();
        telling.add(watcher(client), 1);
        telling.tell();
        client.more.clear();
        for (long change = 2; change <= 1_500; change++) {
            log.add(change);
        }

        telling.tell();

        assertThat(client.told).hasSize(1_499);
        assertThat(client.more).containsExactly(true, false);
    }

    @Test
    void watchersThatAreBehindCostOneQuestionTogether() {
        for (long change = 1; change <= 100; change++) {
            log.add(change);
        }
        telling.tell();
        List<FollowingDataPlane> clients = new ArrayList<>();
        for (long since = 1; since <= 50; since++) {
            FollowingDataPlane client = new FollowingDataPlane();
            clients.add(client);
            telling.add(watcher(client), since);
        }
        log.questions = 0;

        telling.tell();

        // One for what is new, and one for what those watchers have missed.
        assertThat(log.questions).isEqualTo(2);
        for (int i = 0; i < clients.size(); i++) {
            assertThat(clients.get(i).told)
                    .hasSize(99 - i)
                    .startsWith("a" + (i + 2))
                    .endsWith("a100");
        }
    }

    @Test
    void watchersThatComeAndGoAskTheDatabaseNothing() {
        begin(1);
        log.positions = 0;

        for (int i = 0; i < 100; i++) {
            WatchStream watcher = watcher(new FollowingDataPlane());
            telling.add(watcher, 1);
            telling.remove(watcher);
        }

        assertThat(log.positions).isZero();
        assertThat(telling.watchers()).isEmpty();
    }

    @Test
    void aWatcherThatAnotherControlPlaneHasToldOfMoreGoesOnFromThere() {
        begin(1);
        log.add(2);
        log.add(3);
        FollowingDataPlane client = new FollowingDataPlane();

        telling.add(watcher(client), 2);
        telling.tell();

        assertThat(client.told).containsExactly("a3");
        assertThat(client.resets).containsExactly(false);
    }

    @Test
    void aWatcherThatHasHeardOfAChangeWhichIsNoMoreBeginsAnew() {
        begin(1);
        FollowingDataPlane client = new FollowingDataPlane();

        telling.add(watcher(client), 7);
        telling.tell();

        assertThat(client.resets).containsExactly(true);
    }

    @Test
    void aWatcherThatIsTooFarBehindBeginsAnew() {
        begin(1);
        FollowingDataPlane slow = new FollowingDataPlane();
        slow.ready(false);
        telling.add(watcher(slow), 1);
        log.add(2 + Telling.CATCH_UP);
        telling.tell();
        slow.ready(true);

        telling.tell();

        assertThat(slow.resets).containsExactly(true);
        assertThat(slow.told).isEmpty();
    }

    private static WatchStream watcher(FollowingDataPlane client) {
        return new WatchStream(
                client, "here", new CallingDataPlane(ProcessScope.ALL, null, () -> true), Clock.systemUTC());
    }

    /** Changes as a test makes them. */
    private static final class TestChanges implements Telling.Changes {
        private final TreeMap<Long, Change> changes = new TreeMap<>();
        private long meanwhile;

        /** From which number on so many questions fail. */
        private long failing;

        private int failures;
        private int questions;
        private int positions;

        void add(long id) {
            changes.put(id, new MadeUp(id));
        }

        @Override
        public long last() {
            positions++;
            return changes.isEmpty() ? 0 : changes.lastKey();
        }

        @Override
        public List<Change> after(long id, int limit) {
            questions++;
            if (id == failing && failures-- > 0) {
                throw new IllegalStateException("the database does not answer");
            }
            List<Change> found =
                    changes.tailMap(id, false).values().stream().limit(limit).toList();
            if (meanwhile > 0) {
                add(meanwhile);
                meanwhile = 0;
            }
            return found;
        }
    }

    /** A change of the account that is called by its number. */
    private static final class MadeUp extends Change {
        private final long number;

        MadeUp(long number) {
            this.number = number;
        }

        @Override
        public long id() {
            return number;
        }

        @Override
        public List<String> keyIds() {
            return List.of();
        }

        @Override
        public List<String> resourceNames() {
            return List.of("a" + number);
        }
    }

    /** A data plane, and the accounts that it is told of. */
    private static final class FollowingDataPlane extends FakeCall<WatchResponse> {
        private final List<String> told = new ArrayList<>();

        /** For each message, whether others follow. */
        private final List<Boolean> more = new ArrayList<>();

        private final List<Boolean> resets = new ArrayList<>();

        @Override
        public void onNext(WatchResponse message) {
            told.addAll(message.getResourceNamesList());
            more.add(message.getMore());
            resets.add(message.getReset());
        }
    }
}
