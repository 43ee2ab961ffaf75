package dev.kvstore.benchmark.kvcache.engine;

import dev.kvstore.benchmark.kvcache.config.Model;
import dev.kvstore.benchmark.kvcache.config.QosClass;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig.SystemPrompt;
import dev.kvstore.benchmark.kvcache.engine.TieredCache.CountedTier;
import dev.kvstore.benchmark.kvcache.tier.IoTrace;
import dev.kvstore.benchmark.kvcache.tier.NullTier;
import dev.kvstore.benchmark.kvcache.tier.Scratch;
import dev.kvstore.benchmark.kvcache.tier.TierPolicy;
import dev.kvstore.benchmark.kvcache.workload.Conversation;
import dev.kvstore.benchmark.kvcache.workload.MersenneTwister;
import dev.kvstore.benchmark.kvcache.workload.RagDocuments.Chunk;
import dev.kvstore.benchmark.kvcache.workload.RequestPhase;
import dev.kvstore.benchmark.kvcache.workload.User;
import dev.kvstore.benchmark.kvcache.workload.UserRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One of the lists of requests that the original served with one thread and {@code --io-trace-log}, made again from its
 * number, and served by ours: entries of documents and of a decode-only run first, then 60 requests of a few
 * conversations, of documents and of neither, some of which begin while others wait.
 */
final class RecordedRequests {
    private static final double GIBIBYTE = 1L << 30;
    private static final Model MODEL = new Model("Tiny 1B", 12, 4, 128, 0, 2);
    private static final int FIRST_SEED = 10_000;
    private static final int REQUESTS = 60;
    private static final int DOCUMENTS = 4;
    private static final int CHUNKS = 3;
    private static final long CHUNK_TOKENS = 100;
    private static final int PREPARED = 10;
    private static final int MOST_WAITING = 4;

    private final MersenneTwister random;
    private final Scratch memory = new Scratch();
    private final AtomicReference<Ledger> ledger = new AtomicReference<>(new Ledger());
    private final Path file;
    private final double[] sizes;
    private final RunPlan.RequestPart part;

    RecordedRequests(int number, Path file) {
        this.file = file;
        random = new MersenneTwister(FIRST_SEED + number);
        sizes = new double[] {gibibytes(0, 200), gibibytes(0, 300), gibibytes(1, 600)};
        part = List.of(
                        RunPlan.RequestPart.BOTH,
                        RunPlan.RequestPart.BOTH,
                        RunPlan.RequestPart.PREFILL_ONLY,
                        RunPlan.RequestPart.DECODE_ONLY)
                .get((int) random.between(0, 3));
    }

    private double gibibytes(int least, int most) {
        return random.between(least, most) / 1024.0 * GIBIBYTE;
    }

    /** The lines of the trace without their times, and the hits and misses. */
    List<String> run() throws IOException, InterruptedException {
        try (IoTrace trace = new IoTrace(file)) {
            serve(trace);
        }
        List<String> events = new ArrayList<>(Files.readAllLines(file).stream()
                .skip(1)
                .map(line -> line.substring(line.indexOf(',') + 1))
                .toList());
        Ledger counts = ledger.get();
        events.add(Stream.of(counts.hits, counts.misses, counts.turnHits, counts.turnMisses)
                .map(LongAdder::toString)
                .collect(Collectors.joining(" ")));
        return events;
    }

    private void serve(IoTrace trace) throws IOException, InterruptedException {
        TieredCache cache = new TieredCache(
                new TieredCache.TierSetup(
                        MODEL,
                        1,
                        Stream.of(Slot.GPU, Slot.CPU, Slot.STORAGE)
                                .map(slot -> new CountedTier(slot, new NullTier()))
                                .toList(),
                        0,
                        false,
                        trace,
                        Clock.systemUTC()),
                new TierPolicy(sizes, WorkloadConfig.usual().eviction()),
                ledger);
        for (int document = 0; document < DOCUMENTS; document++) {
            for (Chunk chunk : chunks(document, CHUNKS)) {
                cache.allocate(chunk.key(), chunk.tokens(), memory);
            }
        }
        Served.Answering serving = new RequestServing(plan(), MODEL, cache, ledger, prepared(cache));
        List<Conversation> talks = IntStream.range(0, (int) random.between(1, 6))
                .mapToObj(i -> new Conversation("c" + i))
                .toList();
        List<UserRequest> waiting = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            waiting.add(request(i, talks));
            if (random.between(0, 2) == 0 || waiting.size() == MOST_WAITING) {
                serveAll(waiting, serving);
            }
        }
        serveAll(waiting, serving);
    }

    private void serveAll(List<UserRequest> waiting, Served.Answering serving)
            throws IOException, InterruptedException {
        for (UserRequest request : waiting) {
            serving.serve(request, memory);
        }
        waiting.clear();
    }

    private List<String> prepared(TieredCache cache) throws IOException, InterruptedException {
        if (part != RunPlan.RequestPart.DECODE_ONLY || random.between(0, 1) != 0) {
            return List.of();
        }
        List<String> keys =
                IntStream.range(0, PREPARED).mapToObj(i -> "prepop_" + i).toList();
        for (String key : keys) {
            cache.allocate(key, EntryPreparation.TOKENS, memory);
        }
        return keys;
    }

    private RunPlan plan() {
        return new RunPlan(
                1,
                false,
                true,
                part,
                Duration.ZERO,
                Duration.ofMinutes(1),
                Duration.ZERO,
                0,
                0,
                REQUESTS,
                WorkloadConfig.usual());
    }

    private UserRequest request(int number, List<Conversation> talks) {
        long kind = random.between(0, 9);
        long context = random.between(1, 400);
        long answer = random.between(1, 100);
        Conversation talk = null;
        int turn = 1;
        String key;
        RequestPhase phase;
        if (kind == 0) {
            key = "rag_doc" + random.between(0, DOCUMENTS - 1);
            phase = RequestPhase.DECODE;
        } else {
            phase = random.between(0, 4) == 0 ? RequestPhase.PREFILL : RequestPhase.PREFILL_DECODE;
            if (kind == 1) {
                key = "u_req_" + number;
            } else {
                talk = talks.get((int) random.between(0, talks.size() - 1));
                turn = talk.begin();
                key = talk.key(turn);
            }
        }
        SystemPrompt prompt = prompt();
        double choice = random.real();
        return new UserRequest(
                number,
                0,
                new User(0, context, answer, 1, QosClass.BATCH),
                context,
                answer,
                phase,
                key,
                turn,
                talk,
                prompt,
                choice,
                0,
                prompt,
                chunksRead());
    }

    private @Nullable SystemPrompt prompt() {
        int last = SystemPrompt.USUAL.size() - 1;
        return random.between(0, 4) == 0 ? SystemPrompt.USUAL.get((int) random.between(0, last)) : null;
    }

    private List<Chunk> chunksRead() {
        if (random.between(0, 6) != 0) {
            return List.of();
        }
        int document = (int) random.between(0, DOCUMENTS - 1);
        return chunks(document, (int) random.between(1, CHUNKS));
    }

    private static List<Chunk> chunks(int document, int number) {
        return IntStream.range(0, number)
                .mapToObj(i -> new Chunk("doc" + document + "_chunk" + i, CHUNK_TOKENS))
                .toList();
    }
}
