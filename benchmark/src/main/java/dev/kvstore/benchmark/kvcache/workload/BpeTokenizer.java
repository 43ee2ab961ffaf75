package dev.kvstore.benchmark.kvcache.workload;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.GptBytePairEncodingParams;
import dev.kvstore.launcher.IoReason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Counts tokens as a {@code tokenizer.json} of Hugging Face says, of byte-level BPE: the kind that Llama 3, Qwen 3,
 * DeepSeek V3 and gpt-oss have. Special tokens, such as one at the beginning, are not counted. Thread-safe.
 */
public final class BpeTokenizer {
    private static final String FLAG = "--tokenizer: ";
    private static final int BYTES = 256;
    private static final Pattern ALL = Pattern.compile(".+", Pattern.DOTALL);

    /** GPT-2's, which the pre-tokenizer {@code ByteLevel} has unless it says otherwise. */
    private static final String USUAL =
            "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";

    /** The byte behind each letter that vocabularies of this kind are written in. */
    private static final Map<Integer, Integer> LETTERS = letters();

    private final boolean composes;
    private final List<Pattern> splits;
    private final Encoding encoding;

    private BpeTokenizer(boolean composes, List<Pattern> splits, Encoding encoding) {
        this.composes = composes;
        this.splits = List.copyOf(splits);
        this.encoding = encoding;
    }

    /**
     * Reads one.
     *
     * @throws IllegalArgumentException if the file cannot be read, or is of another kind; the message names flag and file
     */
    public static BpeTokenizer read(Path file) {
        String subject = FLAG + file + ": ";
        try {
            return of(new ObjectMapper().readTree(Files.readAllBytes(file)));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(subject + "is no JSON: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new IllegalArgumentException(FLAG + IoReason.withFile(e), e);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(subject + "has a pattern that Java does not know: " + e.getPattern(), e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    subject + e.getMessage() + "; leave the flag out, and a token has four characters", e);
        }
    }

    private static BpeTokenizer of(JsonNode json) {
        JsonNode model = json.path("model");
        require(
                model.path("type").asText().equals("BPE")
                        && model.path("merges").isArray(),
                "has no model of BPE");
        JsonNode normalizer = json.path("normalizer");
        boolean composes = normalizer.path("type").asText().equals("NFC");
        boolean plain = normalizer.isMissingNode()
                || normalizer.isNull()
                || (normalizer.path("normalizers").isArray()
                        && normalizer.path("normalizers").isEmpty());
        require(composes || plain, "normalizes texts in a way that is not known");
        JsonNode before = json.path("pre_tokenizer");
        List<Pattern> splits = new ArrayList<>();
        boolean bytes = false;
        for (JsonNode step : before.has("pretokenizers") ? before.path("pretokenizers") : List.of(before)) {
            if (step.path("type").asText().equals("ByteLevel")) {
                bytes = true;
                if (step.path("use_regex").asBoolean(true)) {
                    splits.add(pattern(USUAL));
                }
            } else {
                JsonNode pattern = step.path("pattern");
                require(
                        step.path("type").asText().equals("Split")
                                && step.path("behavior").asText().equals("Isolated"),
                        "cuts texts in a way that is not known");
                splits.add(
                        pattern.has("Regex")
                                ? pattern(pattern.path("Regex").asText())
                                : Pattern.compile(pattern.path("String").asText(), Pattern.LITERAL));
            }
        }
        require(bytes, "is not of byte-level BPE");
        GptBytePairEncodingParams parameters =
                new GptBytePairEncodingParams("tokenizer.json", ALL, ranks(model.path("merges")), Map.of());
        Encoding encoding = Encodings.newLazyEncodingRegistry()
                .registerGptBytePairEncoding(parameters)
                .getEncoding("tokenizer.json")
                .orElseThrow();
        return new BpeTokenizer(composes, splits, encoding);
    }

    private static Pattern pattern(String regex) {
        return Pattern.compile(regex, Pattern.UNICODE_CHARACTER_CLASS);
    }

    private static void require(boolean holds, String sentence) {
        if (!holds) {
            throw new IllegalArgumentException(sentence);
        }
    }

    /** The rank of each piece: single bytes come first, then the pieces that merges make, in their order. */
    @SuppressWarnings("ArrayAsKeyOfSetOrMap") // The library takes them so, and looks none up.
    private static Map<byte[], Integer> ranks(JsonNode merges) {
        Map<String, Integer> ranks = new LinkedHashMap<>();
        LETTERS.keySet().forEach(letter -> ranks.put(Character.toString(letter), ranks.size()));
        for (JsonNode merge : merges) {
            // "a b", or since 2024 ["a", "b"].
            String made = merge.isArray()
                    ? merge.path(0).asText() + merge.path(1).asText()
                    : merge.asText().replace(" ", "");
            ranks.putIfAbsent(made, ranks.size());
        }
        Map<byte[], Integer> ofBytes = new HashMap<>();
        ranks.forEach((letters, rank) -> ofBytes.put(bytes(letters), rank));
        return ofBytes;
    }

    private static byte[] bytes(String letters) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        letters.codePoints().forEach(letter -> {
            require(LETTERS.containsKey(letter), "has a merge of letters that stand for no bytes: " + letters);
            bytes.write(LETTERS.getOrDefault(letter, 0));
        });
        return bytes.toByteArray();
    }

    /** Bytes that are printed stand for themselves, the others for letters from 256 on. */
    private static Map<Integer, Integer> letters() {
        Map<Integer, Integer> letters = new LinkedHashMap<>();
        int next = BYTES;
        for (int one = 0; one < BYTES; one++) {
            boolean printed = (one >= '!' && one <= '~') || (one >= 0xa1 && one <= 0xac) || one >= 0xae;
            letters.put(printed ? one : next++, one);
        }
        return letters;
    }

    /** The tokens of a text. */
    public long count(String text) {
        List<String> pieces = List.of(composes ? Normalizer.normalize(text, Normalizer.Form.NFC) : text);
        for (Pattern split : splits) {
            List<String> finer = new ArrayList<>();
            pieces.forEach(piece -> cut(piece, split, finer));
            pieces = finer;
        }
        return pieces.stream().mapToLong(encoding::countTokensOrdinary).sum();
    }

    /** Adds each match, and what is between two. */
    private static void cut(String text, Pattern split, List<String> to) {
        int from = 0;
        for (Matcher match = split.matcher(text); match.find(); from = match.end()) {
            add(text.substring(from, match.start()), to);
            add(match.group(), to);
        }
        add(text.substring(from), to);
    }

    private static void add(String piece, List<String> to) {
        if (!piece.isEmpty()) {
            to.add(piece);
        }
    }
}
