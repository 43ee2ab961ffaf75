package dev.kvstore.benchmark.kvcache.workload;

/** The phase of a request that is run. */
public enum RequestPhase {
    /** The request's entry is written; its context is too long for a decode. */
    PREFILL,
    /** The request's entry is written, then read for each batch of tokens. */
    PREFILL_DECODE,
    /** Answered from parts of a document: nothing of its own is written. */
    DECODE;

    /** From so many tokens on a request is prefill alone. */
    private static final long PREFILL_ONLY = 10_000;

    /** The phase of a request with a context of this length. */
    public static RequestPhase of(long contextTokens) {
        return contextTokens >= PREFILL_ONLY ? PREFILL : PREFILL_DECODE;
    }
}
