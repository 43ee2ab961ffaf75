package dev.kvstore.benchmark.kvcache.workload;

import java.util.List;

/**
 * A prompt that many requests begin with.
 *
 * @param tokens words of its text
 */
public record SystemPrompt(String key, int tokens) {
    /** The original's three; their keys are the first 16 digits of the SHA-256 of text and length, as there. */
    public static final List<SystemPrompt> USUAL = List.of(
            of("You are a helpful assistant."),
            of("You are an AI assistant helping with coding tasks."),
            of("You are a professional writing assistant."));

    private static SystemPrompt of(String text) {
        int words = text.split(" ", -1).length;
        return new SystemPrompt(
                "kv_system_" + Digests.sha256(text + "_" + words).substring(0, 16), words);
    }
}
