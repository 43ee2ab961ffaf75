package dev.kvstore.benchmark.kvcache.replay;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Conversations in ShareGPT's form: their lengths; texts are not kept. */
public record Dataset(List<DatasetTalk> talks) {
    private static final int MOST_MESSAGES = 10_000;

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

    /**
     * How texts become tokens.
     *
     * @param charactersPerToken an estimate; no tokenizer is asked
     */
    public record DatasetTokens(long mostContext, long mostAnswer, int charactersPerToken) {
        /** The numbers in the original's code; it never reads those of its config file. */
        public static final DatasetTokens USUAL = new DatasetTokens(16_384, 2_048, 4);

        private long of(int characters, long most) {
            return Math.clamp(characters / charactersPerToken, 1L, most);
        }
    }

    private record DatasetMessage(String from, int characters) {}

    /**
     * Reads the first conversations of a file, as a stream.
     *
     * @param most conversations that are read; the rest of the file is not looked at
     * @throws IllegalArgumentException if it has none or is wrong; the message names flag, file and line
     */
    public static Dataset read(Path file, int most, DatasetTokens tokens) {
        return JsonList.read("--dataset-path", file, "conversations", parser -> {
            List<DatasetTalk> talks = new ArrayList<>();
            for (int read = 0; read < most && parser.nextToken() != JsonToken.END_ARRAY; read++) {
                require(
                        parser,
                        parser.currentToken(),
                        JsonToken.START_OBJECT,
                        "must be a conversation with its messages");
                DatasetTalk talk = talk(parser, read, tokens);
                if (!talk.turns().isEmpty()) {
                    talks.add(talk);
                }
            }
            if (talks.isEmpty()) {
                throw new IllegalArgumentException(
                        "has no question with an answer in its first " + most + " conversations");
            }
            return new Dataset(talks);
        });
    }

    private static void require(JsonParser parser, @Nullable JsonToken is, JsonToken wanted, String sentence) {
        JsonList.require(parser, is == wanted, sentence);
    }

    private static DatasetTalk talk(JsonParser parser, int number, DatasetTokens tokens) throws IOException {
        int line = parser.currentLocation().getLineNr();
        String name = "conv_" + number;
        List<DatasetMessage> messages = null;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            JsonToken value = parser.nextToken();
            if (field.equals("conversations")) {
                require(parser, value, JsonToken.START_ARRAY, "conversations must be a list of messages");
                messages = messages(parser);
            } else if (field.equals("id") && value.isScalarValue()) {
                name = parser.getText();
            } else {
                parser.skipChildren();
            }
        }
        if (messages == null) {
            throw new IllegalArgumentException("line " + line + ": has no conversations, the list of messages");
        }
        return new DatasetTalk(name, turns(messages, tokens));
    }

    private static List<DatasetMessage> messages(JsonParser parser) throws IOException {
        List<DatasetMessage> messages = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            require(parser, parser.currentToken(), JsonToken.START_OBJECT, "must be a message with from and value");
            if (messages.size() == MOST_MESSAGES) {
                throw new IllegalArgumentException(
                        "line " + parser.currentLocation().getLineNr() + ": has more than " + MOST_MESSAGES
                                + " messages in a conversation");
            }
            messages.add(message(parser));
        }
        return messages;
    }

    private static DatasetMessage message(JsonParser parser) throws IOException {
        String from = "";
        int characters = 0;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            JsonToken value = parser.nextToken();
            if (field.equals("from") || field.equals("value")) {
                require(parser, value, JsonToken.VALUE_STRING, field + " must be a text");
                String text = parser.getText();
                from = field.equals("from") ? text : from;
                characters = field.equals("value") ? text.codePointCount(0, text.length()) : characters;
            } else {
                parser.skipChildren();
            }
        }
        return new DatasetMessage(from, characters);
    }

    /**
     * Pairs of two messages, the first of {@code human} and the second of {@code gpt}; other pairs are left out, as the
     * original does.
     */
    private static List<QuestionAndAnswer> turns(List<DatasetMessage> messages, DatasetTokens tokens) {
        List<QuestionAndAnswer> turns = new ArrayList<>();
        for (int i = 0; i + 1 < messages.size(); i += 2) {
            DatasetMessage question = messages.get(i);
            DatasetMessage answer = messages.get(i + 1);
            if (question.from().equals("human") && answer.from().equals("gpt")) {
                turns.add(new QuestionAndAnswer(
                        tokens.of(question.characters(), tokens.mostContext()),
                        tokens.of(answer.characters(), tokens.mostAnswer())));
            }
        }
        return turns;
    }
}
