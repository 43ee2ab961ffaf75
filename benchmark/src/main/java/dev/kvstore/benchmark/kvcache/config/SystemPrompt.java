package dev.kvstore.benchmark.kvcache.config;

import java.util.List;

/**
 * A prompt that many requests begin with.
 *
 * @param tokens words of its text
 */
public record SystemPrompt(String key, int tokens) {
    /** The original's three; their keys have the first 16 digits of the SHA-256 of {@code TEXT_TOKENS}, as there. */
    public static final List<SystemPrompt> USUAL = List.of(
            new SystemPrompt("kv_system_0b7588a77cb9c73b", 5), // You are a helpful assistant.
            new SystemPrompt("kv_system_ea8ffc489f80c165", 9), // You are an AI assistant helping with coding tasks.
            new SystemPrompt("kv_system_2ed87f49657692a2", 6)); // You are a professional writing assistant.
}
