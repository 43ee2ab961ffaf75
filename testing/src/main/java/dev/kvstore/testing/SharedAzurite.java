package dev.kvstore.testing;

import dev.kvstore.launcher.azurite.Azurite;
import java.io.IOException;
import java.net.URI;
import java.util.UUID;

/** One Azurite for all tests of a JVM. The first use starts it; it ends with the JVM. Thread-safe. */
public final class SharedAzurite {
    private SharedAzurite() {}

    /** The shared Azurite. */
    public static Azurite azurite() {
        return Holder.AZURITE;
    }

    /** The URL of Azurite's account. */
    public static URI endpoint() {
        return azurite().endpoint();
    }

    /** The connection string for Azure's SDK. */
    public static String connectionString() {
        return azurite().connectionString();
    }

    /** A container name that no other test has; the container does not exist yet. */
    public static String newContainerName() {
        return "test-" + UUID.randomUUID();
    }

    private static final class Holder {
        private static final Azurite AZURITE = start();

        private static Azurite start() {
            try {
                Azurite azurite = Azurite.inMemory();
                Runtime.getRuntime().addShutdownHook(new Thread(azurite::close, "stop-azurite"));
                return azurite;
            } catch (IOException e) {
                throw new IllegalStateException("tests on Azurite cannot run: " + e.getMessage(), e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while Azurite started", e);
            }
        }
    }
}
