package dev.kvstore.benchmark.sweep;

/**
 * The report of a client process about a step, a line of JSON.
 *
 * @param lookup latencies, encoded; so are the other texts
 * @param compared of the reads, how many were compared byte for byte
 * @param refused calls that were still refused for overload after the SDK's retries
 * @param retries attempts of the SDK beyond the first
 */
record StepResult(
        double seconds,
        String lookup,
        String read,
        String write,
        String iteration,
        String firstBlock,
        long bytesRead,
        long bytesWritten,
        long compared,
        long refused,
        long retries,
        Faults.FaultCounts faults) {}
