package dev.kvstore.protocol.block;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes an {@link Extra}. The order of the calls makes no difference. Each method throws
 * {@link IllegalArgumentException}, which names the statement, for a value that breaks its rule. Not thread-safe.
 */
public final class ExtraBuilder {
    private final List<Extra.ExtraEntry> entries = new ArrayList<>();

    ExtraBuilder() {}

    /**
     * States the adapter (LoRA) that computed the block, at most once.
     *
     * @param id 1 byte or more that no other adapter has, such as the digest of its weights; a name can be given to
     *     others
     */
    public ExtraBuilder adapter(byte[] id) {
        return add(ExtraTag.ADAPTER, ByteString.copyFrom(id));
    }

    /**
     * States a salt, which separates callers with equal prompts, at most once. Only a prompt's first block needs it,
     * since names of later blocks cover it.
     *
     * @param salt 1 byte or more
     */
    public ExtraBuilder salt(byte[] salt) {
        return add(ExtraTag.SALT, ByteString.copyFrom(salt));
    }

    /**
     * States an image for which placeholder tokens of this block stand.
     *
     * @param firstToken the index in the block of the first such placeholder, 0 or more
     * @param tokens the number of such placeholders, 1 or more
     * @param digest 1 byte or more that no other image has, such as the SHA-256 of the pixels that the model is given
     */
    public ExtraBuilder image(int firstToken, int tokens, byte[] digest) {
        return item(ExtraTag.IMAGE, firstToken, tokens, digest);
    }

    /** States a sound for which placeholder tokens of this block stand. The parameters are those of {@link #image}. */
    public ExtraBuilder audio(int firstToken, int tokens, byte[] digest) {
        return item(ExtraTag.AUDIO, firstToken, tokens, digest);
    }

    /** States a video for which placeholder tokens of this block stand. The parameters are those of {@link #image}. */
    public ExtraBuilder video(int firstToken, int tokens, byte[] digest) {
        return item(ExtraTag.VIDEO, firstToken, tokens, digest);
    }

    /**
     * States embeddings that the caller gave in place of tokens of this block. The parameters are those of {@link
     * #image}.
     */
    public ExtraBuilder embedding(int firstToken, int tokens, byte[] digest) {
        return item(ExtraTag.EMBEDDING, firstToken, tokens, digest);
    }

    /**
     * States any other difference.
     *
     * @param label of the caller's own, 1 to 64 letters a-z, digits, '.', '_' and '-'; each at most once
     * @param value may be empty
     */
    public ExtraBuilder other(String label, byte[] value) {
        ExtraTag.OTHER.requireLabel(label);
        ByteBuffer bytes = ByteBuffer.allocate(1 + label.length() + value.length);
        bytes.put((byte) label.length()).put(label.getBytes(US_ASCII)).put(value);
        return add(ExtraTag.OTHER, ByteString.copyFrom(bytes.flip()));
    }

    private ExtraBuilder item(ExtraTag tag, int firstToken, int tokens, byte[] digest) {
        tag.requireRange(firstToken, tokens);
        ByteBuffer bytes =
                ByteBuffer.allocate(ExtraTag.RANGE_BYTES + digest.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(firstToken).putInt(tokens).put(digest);
        return add(tag, ByteString.copyFrom(bytes.flip()));
    }

    private ExtraBuilder add(ExtraTag tag, ByteString value) {
        tag.requireValue(value);
        entries.add(new Extra.ExtraEntry(tag, value));
        return this;
    }

    /**
     * Makes an {@link Extra} of the statements so far.
     *
     * @throws IllegalArgumentException if two statements exclude each other, or if all together are longer than {@link
     *     Extra#MAX_BYTES}
     */
    public Extra build() {
        return Extra.of(entries);
    }
}
