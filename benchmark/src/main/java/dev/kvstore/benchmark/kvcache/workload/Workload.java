package dev.kvstore.benchmark.kvcache.workload;

import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig.SystemPrompt;
import dev.kvstore.benchmark.kvcache.workload.RagDocuments.Chunk;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * All requests of a run in the order of their arrival, as many as are asked for. They depend on users, config and seed
 * alone: not on the machine, nor on how many threads serve them. For one thread.
 */
public final class Workload implements RequestSource {
    private static final int PURPOSE_REQUESTS = 0;
    private static final int PURPOSE_PREFIX = 1;
    private static final int PURPOSE_DECODE = 2;
    private static final int PURPOSE_ARRIVAL = 3;
    private static final int PURPOSE_RAG = 8;
    private static final double NANOS = 1e9;
    private static final double END_AS_ORIGINAL = 0.8;

    private final WorkloadRules rules;
    private final WorkloadConfig config;
    private final Draws arrivals;
    private final List<Asker> askers;
    private final PriorityQueue<Asker> next = new PriorityQueue<>(
            Comparator.comparingDouble((Asker one) -> one.at).thenComparingInt(one -> one.user.number()));
    private final Deque<UserRequest> behind = new ArrayDeque<>();
    private final Deque<Asker> resting = new ArrayDeque<>();
    /** Conversations that go on, the one idle longest first; beyond the config's number that one is pushed out. */
    private final Map<String, Conversation> talks = new LinkedHashMap<>(16, 0.75f, true);

    private volatile int active = Integer.MAX_VALUE;
    private int awake = Integer.MAX_VALUE;
    private double clock;
    private long begun;
    private long made;

    /**
     * How requests are made.
     *
     * @param multiTurn whether a turn reads those before it
     * @param prefixes whether some requests begin with a shared prompt
     * @param compat whether users end as in the original: for good when their conversation was pushed out
     * @param rate arrivals a second, unless users arrive by themselves
     * @param maxTokens a conversation that could become longer is not gone on with; 0 for no such end
     * @param documents that users ask about; null for none
     */
    public record WorkloadRules(
            boolean multiTurn,
            boolean prefixes,
            boolean compat,
            ArrivalProcess arrival,
            double rate,
            long maxTokens,
            @Nullable RagDocuments documents,
            long seed) {
        /** The shared prompt that a request begins with; null if it begins with none. */
        @Nullable
        SystemPrompt prompt(Draws draws, WorkloadConfig config) {
            return prefixes && draws.real() < config.prefixCache().systemPromptHitProbability()
                    ? draws.choice(config.systemPrompts())
                    : null;
        }
    }

    private static final class Asker {
        private final User user;
        private final Draws requests;
        private final Draws prefixes;
        private final Draws decodes;
        private final Draws rag;
        private double at;
        private @Nullable Conversation conversation;

        private Asker(User user, long seed) {
            this.user = user;
            this.requests = Draws.of(seed, user.number(), PURPOSE_REQUESTS);
            this.prefixes = Draws.of(seed, user.number(), PURPOSE_PREFIX);
            this.decodes = Draws.of(seed, user.number(), PURPOSE_DECODE);
            this.rag = Draws.of(seed, user.number(), PURPOSE_RAG);
        }
    }

    /** @param users at least one */
    public Workload(List<User> users, WorkloadConfig config, WorkloadRules rules) {
        this.rules = rules;
        this.config = config;
        this.arrivals = Draws.of(rules.seed(), 0, PURPOSE_ARRIVAL);
        this.askers = users.stream().map(user -> new Asker(user, rules.seed())).toList();
        if (rules.arrival() == ArrivalProcess.USERS) {
            askers.forEach(this::wait);
        }
    }

    private void wait(Asker asker) {
        asker.at += asker.user.think(asker.requests);
        next.add(asker);
    }

    /** The next request; null if no user is left. */
    @Override
    public @Nullable UserRequest next() {
        UserRequest waiting = behind.poll();
        if (waiting != null) {
            return waiting;
        }
        if (rules.arrival() != ArrivalProcess.USERS) {
            clock += rules.arrival().gapSeconds(rules.rate(), arrivals);
            return Objects.requireNonNull(request(askers.get((int) arrivals.below(askers.size())), clock));
        }
        if (awake != active) {
            awake = active;
            wake();
        }
        for (Asker asker = next.poll(); asker != null; asker = next.poll()) {
            if (asker.user.number() >= awake) {
                resting.add(asker);
                continue;
            }
            clock = Math.max(clock, asker.at);
            UserRequest request = request(asker, asker.at);
            if (request != null) {
                wait(asker);
                return request;
            }
        }
        return null;
    }

    /**
     * From now on the first so many users ask, and the others rest. By any thread. A user that comes begins to think
     * when the next request of the others arrives.
     *
     * @param users 1 or more
     */
    public void activate(int users) {
        active = users;
    }

    private void wake() {
        for (int i = resting.size(); i > 0; i--) {
            Asker asker = resting.remove();
            if (asker.user.number() < awake) {
                asker.at = Math.max(asker.at, clock);
                wait(asker);
            } else {
                resting.add(asker);
            }
        }
    }

    private @Nullable UserRequest request(Asker asker, double at) {
        Conversation conversation = rules.multiTurn() ? conversation(asker) : null;
        User user = asker.user;
        long context = asker.requests.between(Math.max(1, user.contextTokens() / 4), user.contextTokens());
        long generation = asker.requests.between(Math.max(1, user.generationTokens() / 4), user.generationTokens());
        if (conversation != null && talks.get(conversation.id()) == null) {
            return null;
        }
        SystemPrompt prompt = rules.prompt(asker.prefixes, config);
        long number = made++;
        int turn = 1;
        long history = 0;
        SystemPrompt first = prompt;
        String key;
        if (conversation == null) {
            key = "%s_req_%06d".formatted(user.name(), number);
        } else {
            turn = conversation.begin();
            history = conversation.tokens();
            conversation.said(turn, context + generation, prompt);
            first = conversation.firstPrompt();
            key = conversation.key(turn);
        }
        RagDocuments documents = rules.documents();
        UserRequest request = new UserRequest(
                number,
                Math.round(at * NANOS),
                user,
                context,
                generation,
                RequestPhase.of(context),
                key,
                turn,
                conversation,
                prompt,
                asker.decodes.real(),
                history,
                first,
                documents == null ? List.of() : look(asker, documents));
        if (documents != null && documents.isAsked(asker.rag)) {
            behind.add(aboutDocument(asker, at, documents));
        }
        return request;
    }

    /** The parts that a request reads besides; none if it does not look into a document. */
    private static List<Chunk> look(Asker asker, RagDocuments documents) {
        return documents.isAsked(asker.rag) ? documents.retrieve(documents.choose(asker.rag), asker.rag) : List.of();
    }

    /**
     * A question about a document, which its parts answer. The original counts their tokens as its own and reads an
     * entry that nobody has written.
     */
    private UserRequest aboutDocument(Asker asker, double at, RagDocuments documents) {
        RagDocuments.RagDocument document = documents.choose(asker.rag);
        List<Chunk> chunks = documents.retrieve(document, asker.rag);
        SystemPrompt prompt = rules.prompt(asker.prefixes, config);
        List<Chunk> asOriginal = look(asker, documents);
        return new UserRequest(
                made++,
                Math.round(at * NANOS),
                asker.user,
                chunks.stream().mapToLong(Chunk::tokens).sum(),
                RagDocuments.answer(asker.rag),
                RequestPhase.DECODE,
                "rag_" + document.name(),
                1,
                null,
                prompt,
                asker.decodes.real(),
                0,
                prompt,
                rules.compat() ? asOriginal : chunks);
    }

    /** The conversation that a user goes on with, or begins. */
    private Conversation conversation(Asker asker) {
        Conversation current = asker.conversation;
        if (current != null) {
            // The original has the chance in its code, as a draw of at least 0.8.
            double ends =
                    rules.compat() ? END_AS_ORIGINAL : 1 - config.conversation().endConversationProbability();
            long tokens = current.tokens() + asker.user.contextTokens() + asker.user.generationTokens();
            if (asker.requests.real() < ends
                    && current.turns() < config.conversation().maxTurnsPerConv()
                    && (rules.maxTokens() == 0 || tokens <= rules.maxTokens())
                    && (rules.compat() || !current.isPushedOut())) {
                return current;
            }
        }
        if (talks.size() >= config.conversation().maxConversations()) {
            Conversation oldest = talks.values().iterator().next();
            oldest.pushOut();
            talks.remove(oldest.id());
        }
        Conversation started = new Conversation("conv_" + asker.user.name() + "_" + begun++);
        talks.put(started.id(), started);
        asker.conversation = started;
        return started;
    }
}
