package dev.kvstore.dataplane;

import dev.kvstore.testing.Patience;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Lets all tests of this module wait as long as {@link Patience} says; JUnit finds it as a service. */
public final class PatientWaits implements BeforeAllCallback {
    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(Patience.LIMIT);
    }
}
