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
     * The adapter (LoRA) that computed the block, at most one.
     *
     * @param id 1 byte or more that no other adapter has, as the digest of its weights; a name can be given to others
     */
    public ExtraBuilder adapter(byte[] id) {
        return add(ExtraTag.ADAPTER, ByteString.copyFrom(id));
    }

    /**
     * Separates callers with equal prompts, at most one. Needed in a prompt's first block only, since names of later
     * blocks cover it.
     *
     * @param salt 1 byte or more
     */
    public ExtraBuilder salt(byte[] salt) {
        return add(ExtraTag.SALT, ByteString.copyFrom(salt));
    }

    /**
     * An image behind placeholder tokens of this block.
     *
     * @param firstToken index in the block of the first placeholder that stands for it, 0 or more
     * @param tokens how many of the block's tokens stand for it, 1 or more
     * @param digest 1 byte or more that no other image has, as the SHA-256 of the pixels that the model is given
     */
    public ExtraBuilder image(int firstToken, int tokens, byte[] digest) {
        return item(ExtraTag.IMAGE, firstToken, tokens, digest);
    }

    /** Sound behind placeholder tokens of this block, as {@link #image}. */
    public ExtraBuilder audio(int firstToken, int tokens, byte[] digest) {
        return item(ExtraTag.AUDIO, firstToken, tokens, digest);
    }

    /** A video behind placeholder tokens of this block, as {@link #image}. */
    public ExtraBuilder video(int firstToken, int tokens, byte[] digest) {
        return item(ExtraTag.VIDEO, firstToken, tokens, digest);
    }

    /** Embeddings that the caller gave in place of tokens of this block, as {@link #image}. */
    public ExtraBuilder embedding(int firstToken, int tokens, byte[] digest) {
        return item(ExtraTag.EMBEDDING, firstToken, tokens, digest);
    }

    /**
     * Anything else that makes a difference.
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
     * What was said so far.
     *
     * @throws IllegalArgumentException if something is said twice, or all is longer than {@link Extra#MAX_BYTES}
     */
    public Extra build() {
        return Extra.of(entries);
    }
}
