package dev.kvstore.benchmark.kvcache.workload;

import dev.kvstore.benchmark.kvcache.config.WorkloadConfig.SystemPrompt;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One request of a user.
 *
 * @param number from 0, in the order of arrival
 * @param offsetNanos when it is meant to arrive, from the start of the run
 * @param turn of its conversation, from 1; 1 without conversations
 * @param conversation null without conversations
 * @param prompt that it begins with; null if it shares none
 * @param decodeChoice at least 0 and less than 1: which of the entries there already is read in a decode-only run
 * @param historyTokens prompts and answers of the turns before
 * @param firstPrompt that its conversation began with; null if with none
 * @param chunks parts of a document that it reads
 */
public record UserRequest(
        long number,
        long offsetNanos,
        User user,
        long contextTokens,
        long generationTokens,
        RequestPhase phase,
        String key,
        int turn,
        @Nullable Conversation conversation,
        @Nullable SystemPrompt prompt,
        double decodeChoice,
        long historyTokens,
        @Nullable SystemPrompt firstPrompt,
        List<RagDocuments.Chunk> chunks) {
    public UserRequest {
        chunks = List.copyOf(chunks);
    }

    /** The keys of the turns before this one, in their order. */
    public List<String> turnsBefore() {
        return conversation == null ? List.of() : conversation.keys(turn - 1, 0);
    }

    /**
     * The keys that the original reads for it: those of all turns begun by now but its own, later ones too; none if the
     * conversation was pushed out meanwhile.
     */
    public List<String> turnsAsOriginal() {
        return conversation == null || turn <= 1 || conversation.isPushedOut()
                ? List.of()
                : conversation.keys(conversation.turns(), turn);
    }

    /** The stream that its tokens are drawn from: the requests of one conversation continue one stream. */
    public String stream() {
        return conversation == null ? key : conversation.id();
    }

    /** The line of this request from which a stream's hash is computed. */
    String line() {
        return "%d,%d,%s,%d,%d,%s,%s,%s%s\n"
                .formatted(
                        number,
                        offsetNanos,
                        user.name(),
                        contextTokens,
                        generationTokens,
                        phase,
                        key,
                        prompt == null ? "" : prompt.key(),
                        chunks.stream().map(chunk -> "," + chunk.key()).collect(Collectors.joining()));
    }
}
