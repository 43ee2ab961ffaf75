package dev.kvstore.benchmark.kvcache.config;

/**
 * The sizes of a model that decide how large its KV cache is. With multi-head and grouped-query attention each layer
 * keeps a key and a value for each of its KV heads; with multi-head latent attention it keeps one compressed vector and
 * one positional key.
 *
 * @param title for people
 * @param layers of the transformer
 * @param kvHeads heads that have keys and values of their own
 * @param headDimension numbers in one key or value of one head
 * @param latent numbers that a layer keeps of a token with latent attention; 0 if it has keys and values
 * @param elementBytes 1, 2 or 4
 */
public record Model(String title, long layers, long kvHeads, long headDimension, long latent, int elementBytes) {
    /** Bytes that one token takes in all layers. */
    public long bytesPerToken() {
        return latent > 0 ? layers * latent * elementBytes : layers * kvHeads * headDimension * 2 * elementBytes;
    }

    /** Bytes of an entry on one of {@code tensorParallel} ranks that share it equally. */
    public long entryBytes(long tokens, int tensorParallel) {
        return bytesPerToken() * tokens / tensorParallel;
    }
}
