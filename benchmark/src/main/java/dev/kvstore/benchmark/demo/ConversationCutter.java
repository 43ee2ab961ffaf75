package dev.kvstore.benchmark.demo;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Cuts a text into conversations that share a system prompt, tokenised as a model would have it (o200k_base). The same
 * text gives the same conversations. A text that is too short is told more than once: what differs from conversation to
 * conversation is then their number alone, from the first block after the system prompt on.
 *
 * @param count how many conversations, 1 to 1000
 * @param turns of each
 * @param systemTokens length of the shared system prompt
 * @param turnTokens the tokens that each turn adds to the prompt
 */
record ConversationCutter(int count, int turns, int systemTokens, int turnTokens) {
    static final int MAX_COUNT = 1_000;
    private static final String SYSTEM = "You answer questions about the documents below. Quote them exactly.\n\n";

    /** The usual shape: a system prompt of 5.5 blocks of 128 tokens, and 4 turns of 7.5 blocks each. */
    static ConversationCutter of(int count) {
        return new ConversationCutter(count, 4, 704, 960);
    }

    List<DemoConversation> cut(String text) {
        Encoding encoding = Encodings.newDefaultEncodingRegistry().getEncoding(EncodingType.O200K_BASE);
        int[] told = encoding.encodeOrdinary(text).toArray();
        int[] system = new int[systemTokens];
        int next = put(system, 0, encoding.encodeOrdinary(SYSTEM).toArray());
        fill(system, next, told, 0);
        List<DemoConversation> conversations = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int[] opening = encoding.encodeOrdinary("\n\nConversation " + (i + 1) + "\n")
                    .toArray();
            // Spread over the text, so that a long one is used from its beginning to its end.
            int from = systemTokens + (int) ((long) told.length * i / count);
            conversations.add(conversation(system, opening, told, from));
        }
        return List.copyOf(conversations);
    }

    private DemoConversation conversation(int[] system, int[] opening, int[] told, int from) {
        int[] tokens = Arrays.copyOf(system, systemTokens + turns * turnTokens);
        int next = put(tokens, systemTokens, opening);
        fill(tokens, next, told, from);
        List<Integer> ends = new ArrayList<>();
        for (int turn = 1; turn <= turns; turn++) {
            ends.add(systemTokens + turn * turnTokens);
        }
        return new DemoConversation(tokens, List.copyOf(ends));
    }

    /** Puts a short run of tokens, as far as there is room; returns the place behind it. */
    private static int put(int[] target, int at, int[] tokens) {
        int count = Math.min(tokens.length, target.length - at);
        System.arraycopy(tokens, 0, target, at, count);
        return at + count;
    }

    /** Fills the rest with the text, which begins anew where it ends. */
    private static void fill(int[] target, int at, int[] told, int from) {
        for (int i = at; i < target.length; i++) {
            target[i] = told[(from + i - at) % told.length];
        }
    }
}
