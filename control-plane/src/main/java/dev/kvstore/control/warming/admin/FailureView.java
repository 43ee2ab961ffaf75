package dev.kvstore.control.warming.admin;

import dev.kvstore.control.warming.WarmingFailures;

/**
 * A block that could not be copied.
 *
 * @param root of its partition, in hexadecimal digits
 * @param hash the block's hash
 * @param reason the reason for the failure
 */
public record FailureView(String root, String hash, String reason) {
    static FailureView of(WarmingFailures.CopyFailure failure) {
        return new FailureView(
                failure.name().root().hex(), failure.name().hash().hex(), failure.reason());
    }
}
