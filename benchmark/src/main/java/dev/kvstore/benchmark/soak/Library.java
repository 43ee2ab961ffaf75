package dev.kvstore.benchmark.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Stored prompts: all of the first, and of more a random selection. Thread-safe. */
final class Library {
    /** Some 20 MB of heap. */
    private static final int MOST = 20_000;

    private final List<StoredPrompt> prompts = new ArrayList<>();

    synchronized void add(StoredPrompt prompt, RandomGenerator random) {
        if (prompts.size() < MOST) {
            prompts.add(prompt);
        } else {
            prompts.set(random.nextInt(MOST), prompt);
        }
    }

    /** Any of them; empty while there is none. */
    synchronized Optional<StoredPrompt> any(RandomGenerator random) {
        return prompts.isEmpty() ? Optional.empty() : Optional.of(prompts.get(random.nextInt(prompts.size())));
    }

    /** All there are now. */
    synchronized List<StoredPrompt> all() {
        return List.copyOf(prompts);
    }
}
