package dev.kvstore.testing;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Lets all tests of a module wait as long as {@link Patience} says. JUnit finds it as a service where
 * {@code junit.jupiter.extensions.autodetection.enabled} is set.
 */
public final class PatientWaits implements BeforeAllCallback {
    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(Patience.LIMIT);
    }
}
