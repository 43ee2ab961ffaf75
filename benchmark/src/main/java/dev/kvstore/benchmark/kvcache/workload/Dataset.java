package dev.kvstore.benchmark.kvcache.workload;

import dev.kvstore.benchmark.kvcache.config.WorkloadConfig.DatasetTokens;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Conversations in ShareGPT's form: their lengths; texts are not kept.
 *
 * @param leftOut conversations of the file that have no question with an answer, 0 or more
 */
public record Dataset(List<DatasetTalk> talks, int leftOut) {
    private static final String FLAG = "--dataset-path";
    private static final int MOST_MESSAGES = 10_000;
    private static final String FORM =
            "{\"id\", \"conversations\": [{\"from\", \"value\"}, up to " + MOST_MESSAGES + " of these]}";

    public Dataset {
        talks = List.copyOf(talks);
    }

    /** A conversation. */
    public record DatasetTalk(String name, List<QuestionAndAnswer> turns) {
        public DatasetTalk {
            turns = List.copyOf(turns);
        }
    }

    /** A question and its answer, in tokens. */
    public record QuestionAndAnswer(long contextTokens, long answerTokens) {}

    /** The messages of a conversation, of which a file may have more than memory. */
    private static final class TalkMessages extends ArrayList<TalkMessage> {
        private static final long serialVersionUID = 1;

        @Override
        public boolean add(TalkMessage message) {
            if (size() == MOST_MESSAGES) {
                throw new IllegalArgumentException("too many messages");
            }
            return super.add(message);
        }
    }

    private record TalkEntry(@Nullable Object id, TalkMessages conversations) {
        @SuppressWarnings("UnusedMethod") // Jackson calls it.
        private TalkEntry {
            Objects.requireNonNull(conversations);
        }
    }

    private record TalkMessage(String from, String value) {
        @SuppressWarnings("UnusedMethod") // Jackson calls it.
        private TalkMessage {
            Objects.requireNonNull(from);
            Objects.requireNonNull(value);
        }

        private long tokens(DatasetTokens tokens, @Nullable BpeTokenizer tokenizer, long most) {
            return tokenizer == null
                    ? tokens.of(value.codePointCount(0, value.length()), most)
                    : Math.clamp(tokenizer.count(value), 1L, most);
        }
    }

    /**
     * Reads the first conversations of a file, one after the other.
     *
     * @param most conversations that are read; the rest of the file is not looked at
     * @param tokenizer counts the tokens of texts; null for so many characters a token as {@code tokens} says
     * @param compat whether messages are paired as the original pairs them: the first with the second, the third with
     *     the fourth, so that a conversation which begins with a system's message is lost
     * @throws IllegalArgumentException if it has none or is wrong; the message names flag, file and line
     */
    public static Dataset read(
            Path file, int most, DatasetTokens tokens, @Nullable BpeTokenizer tokenizer, boolean compat) {
        List<DatasetTalk> talks = new ArrayList<>();
        int step = compat ? 2 : 1;
        JsonList.read(
                FLAG,
                file,
                most,
                TalkEntry.class,
                FORM,
                talk -> talks.add(talk(talk, talks.size(), tokens, tokenizer, step)));
        int read = talks.size();
        talks.removeIf(talk -> talk.turns().isEmpty());
        if (talks.isEmpty()) {
            throw new IllegalArgumentException(
                    FLAG + ": " + file + ": has no question with an answer in its first " + most + " conversations");
        }
        return new Dataset(talks, read - talks.size());
    }

    /** Each message of {@code human} that a message of {@code gpt} follows; other messages are left out. */
    private static DatasetTalk talk(
            TalkEntry talk, int number, DatasetTokens tokens, @Nullable BpeTokenizer tokenizer, int step) {
        List<QuestionAndAnswer> turns = new ArrayList<>();
        for (int i = 0; i + 1 < talk.conversations.size(); i += step) {
            TalkMessage question = talk.conversations.get(i);
            TalkMessage answer = talk.conversations.get(i + 1);
            if (question.from.equals("human") && answer.from.equals("gpt")) {
                turns.add(new QuestionAndAnswer(
                        question.tokens(tokens, tokenizer, tokens.maxContextTokens()),
                        answer.tokens(tokens, tokenizer, tokens.maxGenerationTokens())));
            }
        }
        return new DatasetTalk(talk.id == null ? "conv_" + number : talk.id.toString(), turns);
    }
}
