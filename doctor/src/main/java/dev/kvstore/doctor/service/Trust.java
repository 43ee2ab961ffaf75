package dev.kvstore.doctor.service;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How a client speaks to a service.
 *
 * @param authorities the file with the authorities (PEM) of the servers' certificates; null for Java's own
 * @param plaintext whether it speaks in clear to any host
 */
public record Trust(@Nullable Path authorities, boolean plaintext) {
    /** Whether it speaks TLS to an address, as the SDKs do: to other machines, and everywhere if it has authorities. */
    boolean isTls(ServiceAddress address) {
        return authorities != null || (!plaintext && !address.isLoopback());
    }
}
