package dev.kvstore.benchmark.kvcache.workload;

import dev.kvstore.benchmark.kvcache.config.WorkloadConfig.DatasetTokens;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Conversations in ShareGPT's form: their lengths; texts are not kept. */
public record Dataset(List<DatasetTalk> talks) {
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

        private long tokens(DatasetTokens tokens, long most) {
            return tokens.of(value.codePointCount(0, value.length()), most);
        }
    }

    /**
     * Reads the first conversations of a file, one after the other.
     *
     * @param most conversations that are read; the rest of the file is not looked at
     * @throws IllegalArgumentException if it has none or is wrong; the message names flag, file and line
     */
    public static Dataset read(Path file, int most, DatasetTokens tokens) {
        List<DatasetTalk> talks = new ArrayList<>();
        JsonList.read(FLAG, file, most, TalkEntry.class, FORM, talk -> talks.add(talk(talk, talks.size(), tokens)));
        talks.removeIf(talk -> talk.turns().isEmpty());
        if (talks.isEmpty()) {
            throw new IllegalArgumentException(
                    FLAG + ": " + file + ": has no question with an answer in its first " + most + " conversations");
        }
        return new Dataset(talks);
    }

    /**
     * Pairs of two messages, the first of {@code human} and the second of {@code gpt}; other pairs are left out, as the
     * original does.
     */
    private static DatasetTalk talk(TalkEntry talk, int number, DatasetTokens tokens) {
        List<QuestionAndAnswer> turns = new ArrayList<>();
        for (int i = 0; i + 1 < talk.conversations.size(); i += 2) {
            TalkMessage question = talk.conversations.get(i);
            TalkMessage answer = talk.conversations.get(i + 1);
            if (question.from.equals("human") && answer.from.equals("gpt")) {
                turns.add(new QuestionAndAnswer(
                        question.tokens(tokens, tokens.maxContextTokens()),
                        answer.tokens(tokens, tokens.maxGenerationTokens())));
            }
        }
        return new DatasetTalk(talk.id == null ? "conv_" + number : talk.id.toString(), turns);
    }
}
