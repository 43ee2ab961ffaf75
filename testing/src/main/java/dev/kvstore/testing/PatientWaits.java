package dev.kvstore.testing;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Makes all tests of a module wait for {@link Patience#LIMIT} at most. JUnit finds this class as a service where {@code
 * junit.jupiter.extensions.autodetection.enabled} is set.
 */
public final class PatientWaits implements BeforeAllCallback {
    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(Patience.LIMIT);
    }
}
