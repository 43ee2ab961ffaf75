package dev.kvstore.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class SendTurnsTest {
    private static final int FRAME = 256 * 1024;
    private static final int BLOCK = 1_200_000;
    private static final int BRIEF = 1_000;

    private final Map<String, Integer> waiting = new HashMap<>();
    private final SendTurns<String> turns = new SendTurns<>(sender -> waiting.getOrDefault(sender, 0));
    private final List<String> order = new ArrayList<>();

    @Test
    void whoCameFirstSendsUntilItsMessageIsOut() {
        arrives("first", BLOCK);
        arrives("second", BLOCK);

        sends(3);
        arrives("third", BLOCK);
        sendsAll();

        assertThat(order).isEqualTo(repeated("first", 5, "second", 5, "third", 5));
    }

    @Test
    void whatIsBriefTakesEveryOtherTurn() {
        arrives("block", BLOCK);
        arrives("one", BRIEF);
        arrives("two", BRIEF);

        sendsAll();

        assertThat(order).isEqualTo(List.of("one", "block", "two", "block", "block", "block", "block"));
    }

    @Test
    void whatIsBriefNoMoreWaitsLikeOthers() {
        arrives("block", BRIEF);
        arrives("brief", BRIEF);
        waiting.put("block", BLOCK);

        sends(2);

        assertThat(order).containsExactly("brief", "block");
    }

    @Test
    void whatIsBriefTakesNothingOfTheTurnsOfOthers() {
        arrives("endless", Integer.MAX_VALUE);
        arrives("block", BLOCK);
        for (int i = 0; i < 8; i++) {
            arrives("brief", BRIEF);
            assertThat(turns.next()).isEqualTo("brief");
            turns.more("brief", FRAME);
            waiting.put("brief", 0);
            sends(1);
            turns.remove("brief");
        }

        assertThat(order).isEqualTo(repeated("endless", 8));
    }

    @Test
    void whoNeverEndsGivesWay() {
        arrives("endless", Integer.MAX_VALUE);
        arrives("block", BLOCK);

        sends(14);

        assertThat(order).isEqualTo(repeated("endless", 8, "block", 5, "endless", 1));
    }

    @Test
    void whoGaveWayHasAWholeTurnAgain() {
        arrives("one", 20 * FRAME);
        arrives("other", 20 * FRAME);

        sendsAll();

        assertThat(order).isEqualTo(repeated("one", 8, "other", 8, "one", 8, "other", 8, "one", 4, "other", 4));
    }

    @Test
    void whoCouldNotSendIsNextAgain() {
        arrives("block", BLOCK);
        arrives("other", BLOCK);
        sends(2);
        turns.putBack(String.valueOf(turns.next()));
        sends(1);
        arrives("brief", BRIEF);
        turns.putBack(String.valueOf(turns.next()));
        sends(1);

        assertThat(order).containsExactly("block", "block", "block", "brief");
    }

    @Test
    void whoWasPutBackStillGivesWay() {
        arrives("endless", Integer.MAX_VALUE);
        arrives("block", BLOCK);
        for (int i = 0; i < 9; i++) {
            turns.putBack(String.valueOf(turns.next()));
            sends(1);
        }

        assertThat(order).isEqualTo(repeated("endless", 8, "block", 1));
    }

    @Test
    void whoIsForgottenHasNoTurnAndLeavesNothingOfItsOwn() {
        arrives("gone", BLOCK);
        arrives("endless", Integer.MAX_VALUE);
        arrives("block", BLOCK);
        arrives("brief", BRIEF);
        sends(3);
        turns.remove("gone");
        turns.remove("never here");
        sends(9);

        assertThat(order).isEqualTo(repeated("brief", 1, "gone", 2, "endless", 8, "block", 1));
    }

    @Test
    void nobodyIsNextWhereNobodyIs() {
        assertThat(turns.next()).isNull();

        arrives("brief", BRIEF);
        arrives("block", BLOCK);
        sendsAll();

        assertThat(turns.next()).isNull();
    }

    @Property
    void everyoneSendsAllInTheEnd(@ForAll @Size(max = 20) List<@IntRange(max = 5_000_000) Integer> sizes) {
        for (int i = 0; i < sizes.size(); i++) {
            arrives("sender " + i, sizes.get(i));
            sends(i % 3);
        }

        sendsAll();

        assertThat(waiting.values()).allMatch(left -> left == 0);
        assertThat(turns.next()).isNull();
    }

    private void arrives(String sender, int bytes) {
        waiting.put(sender, bytes);
        turns.add(sender);
    }

    private void sendsAll() {
        sends(Integer.MAX_VALUE);
    }

    /** A frame each. */
    private void sends(int times) {
        for (int i = 0; i < times; i++) {
            String sender = turns.next();
            if (sender == null) {
                return;
            }
            int left = waiting.getOrDefault(sender, 0);
            int sent = Math.min(FRAME, left);
            order.add(sender);
            waiting.put(sender, left - sent);
            if (left > sent) {
                turns.more(sender, sent);
            }
        }
    }

    private static List<String> repeated(Object... what) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < what.length; i += 2) {
            for (int j = 0; j < (int) what[i + 1]; j++) {
                all.add((String) what[i]);
            }
        }
        return all;
    }
}
