package dev.kvstore.benchmark.kvcache.workload;

import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig.SystemPrompt;
import dev.kvstore.benchmark.kvcache.workload.Dataset.DatasetTalk;
import dev.kvstore.benchmark.kvcache.workload.Dataset.QuestionAndAnswer;
import dev.kvstore.benchmark.kvcache.workload.Workload.WorkloadRules;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The conversations of a dataset in random order, turn by turn. Users hold them, one at a time, and think between two
 * turns; with a rate one conversation follows the other. A conversation that is replayed again has the entries of the
 * first time. For one thread.
 */
public final class DatasetReplay implements RequestSource {
    private static final int PURPOSE_ORDER = 6;
    private static final int PURPOSE_TURNS = 7;
    private static final double NANOS = 1e9;

    private final Dataset dataset;
    private final WorkloadConfig config;
    private final WorkloadRules rules;
    private final int cycles;
    private final Draws order;
    private final Draws draws;
    private final List<User> users;
    private final boolean byUsers;
    private final Deque<DatasetTalk> left = new ArrayDeque<>();
    private final PriorityQueue<Speaker> next = new PriorityQueue<>(
            Comparator.comparingDouble((Speaker one) -> one.at).thenComparingInt(one -> one.user.number()));
    private int cycle;
    private double clock;
    private long made;

    private static final class Speaker {
        private final User user;
        private double at;
        private Deque<QuestionAndAnswer> turns = new ArrayDeque<>();
        private Conversation conversation = new Conversation("");

        private Speaker(User user) {
            this.user = user;
        }
    }

    /**
     * A replay.
     *
     * @param users whose classes and think times are used; at least one
     * @param rules as in the original, turns read none before them: it looks where its conversations are not known
     * @param cycles that the dataset is replayed; 0 for no end
     */
    public DatasetReplay(Dataset dataset, List<User> users, WorkloadConfig config, WorkloadRules rules, int cycles) {
        this.dataset = dataset;
        this.users = List.copyOf(users);
        this.config = config;
        this.rules = rules;
        this.cycles = cycles;
        this.order = Draws.of(rules.seed(), 0, PURPOSE_ORDER);
        this.draws = Draws.of(rules.seed(), 0, PURPOSE_TURNS);
        this.byUsers = rules.arrival() == ArrivalProcess.USERS;
        users.subList(0, byUsers ? users.size() : 1).forEach(user -> wait(new Speaker(user)));
    }

    @Override
    public boolean ends() {
        return true;
    }

    private void wait(Speaker speaker) {
        if (byUsers) {
            speaker.at += speaker.user.think(draws);
        }
        next.add(speaker);
    }

    @Override
    public @Nullable UserRequest next() {
        for (Speaker speaker = next.poll(); speaker != null; speaker = next.poll()) {
            QuestionAndAnswer turn = turn(speaker);
            if (turn != null) {
                UserRequest request = request(speaker, turn);
                wait(speaker);
                return request;
            }
        }
        return null;
    }

    /** The next turn, of a new conversation if the last one is over or would become too long; null after all cycles. */
    private @Nullable QuestionAndAnswer turn(Speaker speaker) {
        QuestionAndAnswer turn = speaker.turns.poll();
        if (turn != null && !isTooLong(speaker.conversation.tokens() + turn.contextTokens() + turn.answerTokens())) {
            return turn;
        }
        if (left.isEmpty()) {
            if (cycles > 0 && cycle == cycles) {
                return null;
            }
            cycle++;
            shuffle();
        }
        DatasetTalk talk = left.remove();
        speaker.turns = new ArrayDeque<>(talk.turns());
        speaker.conversation = new Conversation(talk.name());
        return speaker.turns.poll();
    }

    private boolean isTooLong(long tokens) {
        return rules.maxTokens() > 0 && tokens > rules.maxTokens();
    }

    /** Fisher and Yates. */
    private void shuffle() {
        List<DatasetTalk> all = new ArrayList<>(dataset.talks());
        while (!all.isEmpty()) {
            int place = (int) order.below(all.size());
            left.add(all.get(place));
            all.set(place, all.getLast());
            all.removeLast();
        }
    }

    private UserRequest request(Speaker speaker, QuestionAndAnswer turn) {
        if (!byUsers) {
            clock += rules.arrival().gapSeconds(rules.rate(), draws);
        }
        User user = byUsers ? speaker.user : drawn(turn);
        SystemPrompt prompt = rules.prompt(draws, config);
        Conversation conversation = speaker.conversation;
        int number = conversation.begin();
        long history = conversation.tokens();
        conversation.said(number, turn.contextTokens() + turn.answerTokens(), prompt);
        boolean reads = rules.multiTurn() && !rules.compat();
        return new UserRequest(
                made++,
                Math.round((byUsers ? speaker.at : clock) * NANOS),
                user,
                turn.contextTokens(),
                turn.answerTokens(),
                RequestPhase.of(turn.contextTokens()),
                conversation.key(number),
                reads ? number : 1,
                reads ? conversation : null,
                prompt,
                draws.real(),
                reads ? history : 0,
                reads ? conversation.firstPrompt() : prompt,
                List.of());
    }

    /** A user for one request: like the original, it draws a service class for each request. */
    private User drawn(QuestionAndAnswer turn) {
        int number = (int) (made % users.size());
        return new User(number, turn.contextTokens(), turn.answerTokens(), 0, User.qos(draws.real(), config));
    }
}
