package dev.kvstore.benchmark.kvcache.replay;

import dev.kvstore.benchmark.kvcache.config.SystemPrompt;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import dev.kvstore.benchmark.kvcache.workload.ArrivalProcess;
import dev.kvstore.benchmark.kvcache.workload.Conversation;
import dev.kvstore.benchmark.kvcache.workload.Draws;
import dev.kvstore.benchmark.kvcache.workload.Population;
import dev.kvstore.benchmark.kvcache.workload.RequestPhase;
import dev.kvstore.benchmark.kvcache.workload.RequestSource;
import dev.kvstore.benchmark.kvcache.workload.SplitDraws;
import dev.kvstore.benchmark.kvcache.workload.User;
import dev.kvstore.benchmark.kvcache.workload.UserRequest;
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
    private static final double LEAST_THINK = 0.8;
    private static final double MOST_THINK = 1.2;

    private final Dataset dataset;
    private final WorkloadConfig config;
    private final WorkloadRules rules;
    private final int cycles;
    private final Draws order;
    private final Draws draws;
    private final List<User> users;
    private final Deque<Dataset.DatasetTalk> left = new ArrayDeque<>();
    private final PriorityQueue<Speaker> next = new PriorityQueue<>(
            Comparator.comparingDouble((Speaker one) -> one.at).thenComparingInt(one -> one.number));
    private int cycle;
    private double clock;
    private long made;

    private static final class Speaker {
        private final int number;
        private double at;
        private Dataset.@Nullable DatasetTalk talk;
        private @Nullable Conversation conversation;
        private int turn;

        private Speaker(int number) {
            this.number = number;
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
        this.order = new SplitDraws(rules.seed(), 0, PURPOSE_ORDER);
        this.draws = new SplitDraws(rules.seed(), 0, PURPOSE_TURNS);
        if (rules.arrival() == ArrivalProcess.USERS) {
            users.forEach(user -> think(new Speaker(user.number())));
        } else {
            next.add(new Speaker(0));
        }
    }

    @Override
    public boolean ends() {
        return true;
    }

    private void think(Speaker speaker) {
        speaker.at += users.get(speaker.number).thinkSeconds() * draws.uniform(LEAST_THINK, MOST_THINK);
        next.add(speaker);
    }

    @Override
    public @Nullable UserRequest next() {
        for (Speaker speaker = next.poll(); speaker != null; speaker = next.poll()) {
            UserRequest request = request(speaker);
            if (request != null) {
                if (rules.arrival() == ArrivalProcess.USERS) {
                    think(speaker);
                } else {
                    next.add(speaker);
                }
                return request;
            }
        }
        return null;
    }

    private @Nullable UserRequest request(Speaker speaker) {
        Dataset.DatasetTalk talk = speaker.talk;
        Conversation conversation = speaker.conversation;
        if (talk == null || conversation == null || isOver(talk, conversation, speaker.turn)) {
            talk = talk();
            if (talk == null) {
                return null;
            }
            conversation = new Conversation(talk.name());
            speaker.talk = talk;
            speaker.conversation = conversation;
            speaker.turn = 0;
        }
        Dataset.QuestionAndAnswer turn = talk.turns().get(speaker.turn++);
        return request(speaker, turn, conversation);
    }

    private boolean isOver(Dataset.DatasetTalk talk, Conversation conversation, int turn) {
        if (turn == talk.turns().size()) {
            return true;
        }
        Dataset.QuestionAndAnswer following = talk.turns().get(turn);
        return rules.maxTokens() > 0
                && conversation.tokens() + following.contextTokens() + following.answerTokens() > rules.maxTokens();
    }

    /** The next conversation; null after the last cycle. */
    private Dataset.@Nullable DatasetTalk talk() {
        if (left.isEmpty()) {
            if (cycles > 0 && cycle == cycles) {
                return null;
            }
            cycle++;
            shuffle();
        }
        return left.poll();
    }

    /** Fisher and Yates. */
    private void shuffle() {
        List<Dataset.DatasetTalk> all = new ArrayList<>(dataset.talks());
        while (!all.isEmpty()) {
            int place = (int) order.below(all.size());
            left.add(all.get(place));
            all.set(place, all.getLast());
            all.removeLast();
        }
    }

    private UserRequest request(Speaker speaker, Dataset.QuestionAndAnswer turn, Conversation conversation) {
        boolean alone = rules.arrival() == ArrivalProcess.USERS;
        if (!alone) {
            clock += rules.arrival().gapSeconds(rules.rate(), rules.variation(), draws);
        }
        User user = alone ? users.get(speaker.number) : drawn(turn);
        SystemPrompt prompt = rules.prompt(draws, config);
        int number = conversation.begin();
        long history = conversation.tokens();
        conversation.said(number, turn.contextTokens() + turn.answerTokens(), prompt);
        boolean reads = rules.multiTurn() && !rules.compat();
        return new UserRequest(
                made++,
                Math.round((alone ? speaker.at : clock) * NANOS),
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

    /** As the original: a class for each request. */
    private User drawn(Dataset.QuestionAndAnswer turn) {
        int number = (int) (made % users.size());
        return new User(number, turn.contextTokens(), turn.answerTokens(), 0, Population.qos(draws.real(), config));
    }
}
