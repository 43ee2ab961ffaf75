package dev.kvstore.benchmark.kvcache.tier;

import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig.EvictionRules;
import dev.kvstore.benchmark.kvcache.workload.MersenneTwister;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One of the lists that the original ran, made again from its number, and run by ours; what happens, a line for each.
 */
final class RecordedList {
    private static final double GIBIBYTE = 1L << 30;
    private static final long BYTES_PER_TOKEN = 24_576;
    private static final int OPERATIONS = 200;
    private static final List<String> NAMES = List.of("gpu", "cpu", "nvme");

    private final MersenneTwister random;
    private final List<String> events = new ArrayList<>();
    private final Map<String, Long> bytes = new HashMap<>();
    private final long[] written = new long[3];
    private final long[] read = new long[3];
    private final long[] offloads = new long[3];
    private final boolean three;
    private final TierPolicy policy;
    private final long mostTokens;
    private long hits;
    private long misses;
    private long evictions;
    private long writes;
    private long readTotal;
    private long writtenTotal;

    RecordedList(int number) {
        random = new MersenneTwister(number);
        three = random.between(0, 2) > 0;
        double gpu = random.between(0, 300) / 1024.0 * GIBIBYTE;
        double cpu = random.between(0, 400) / 1024.0 * GIBIBYTE;
        double disk = random.between(1, 900) / 1024.0 * GIBIBYTE;
        boolean unlimited = random.between(0, 9) == 0;
        EvictionRules rules =
                random.between(0, 2) == 0 ? rules() : WorkloadConfig.usual().eviction();
        double last = unlimited ? Double.POSITIVE_INFINITY : disk;
        policy = new TierPolicy(three ? new double[] {gpu, cpu, last} : new double[] {cpu, last}, rules);
        mostTokens = new long[] {200, 800, 2_500}[(int) random.between(0, 2)];
    }

    private EvictionRules rules() {
        int depth = (int) random.between(0, 3);
        double target = random.between(5, 10) / 10.0;
        double large = random.between(3, 10) / 10.0;
        return new EvictionRules(depth, target, large, (int) random.between(1, 8), (int) random.between(1, 4));
    }

    List<String> run() {
        for (int i = 0; i < OPERATIONS; i++) {
            String key = "k" + random.between(0, 80);
            if (random.real() < 0.55) {
                put(key, random.between(1, mostTokens) * BYTES_PER_TOKEN);
            } else {
                get(key);
            }
        }
        end();
        return events;
    }

    private int slot(int tier) {
        return three ? tier : tier + 1;
    }

    private void put(String key, long size) {
        if (!policy.contains(key)) {
            writes++;
            writtenTotal += size;
            List<PolicyStep> steps = new ArrayList<>();
            int tier = policy.reserve(size, steps);
            steps.forEach(this::perform);
            log("Write", size, slot(tier), key, "Prefill");
            written[slot(tier)] += size;
            offloads[slot(tier)]++;
            bytes.put(key, size);
            policy.commit(key, tier, size);
        }
        events.add("put " + key + " " + NAMES.get(slot(tier(key))));
    }

    private void perform(PolicyStep step) {
        evictions++;
        switch (step) {
            case PolicyStep.Delete delete -> events.add("Delete " + delete.key());
            case PolicyStep.Demote demote -> {
                log("Read", demote.bytes(), slot(demote.from()), demote.key(), "Evict");
                log("Write", demote.bytes(), slot(demote.to()), demote.key(), "Evict");
                read[slot(demote.from())] += demote.bytes();
                written[slot(demote.to())] += demote.bytes();
                offloads[slot(demote.to())]++;
            }
        }
    }

    private void get(String key) {
        Integer tier = policy.access(key);
        if (tier == null) {
            misses++;
            events.add("get " + key + " None");
            return;
        }
        long size = bytes.getOrDefault(key, 0L);
        hits++;
        readTotal += size;
        read[slot(tier)] += size;
        log("Read", size, slot(tier), key, "Decode");
        events.add("get " + key + " " + NAMES.get(slot(tier)));
    }

    private void log(String operation, long size, int slot, String key, String phase) {
        events.add(operation + " " + size + " " + NAMES.get(slot) + " " + key + " " + phase);
    }

    private int tier(String key) {
        int[] found = {-1};
        policy.forEach((one, tier) -> {
            if (one.equals(key)) {
                found[0] = tier;
            }
        });
        return found[0];
    }

    private void end() {
        List<Object> counters = List.of(
                hits,
                misses,
                evictions,
                offloads[1],
                offloads[2],
                writes,
                hits,
                written[0],
                written[1],
                written[2],
                read[0],
                read[1],
                read[2],
                readTotal,
                writtenTotal,
                hits,
                writes);
        events.add(String.join(" ", counters.stream().map(Object::toString).toList()));
        String gpu = three ? Long.toString((long) policy.used(0)) : "0";
        events.add(gpu + " " + (long) policy.used(three ? 1 : 0) + " " + (long) policy.used(three ? 2 : 1));
        policy.forEach((key, tier) -> events.add(key + " " + NAMES.get(slot(tier)) + " " + bytes.get(key)));
    }
}
