package dev.kvstore.launcher.stack;

import dev.kvstore.launcher.Home;
import java.io.IOException;
import java.util.Map;

/**
 * The storage of a running stack.
 *
 * @param account how data planes reach it
 * @param environment what a data plane needs besides: the secrets that {@code account} refers to
 * @param place for people: the folder or the address
 * @param process ends it; does nothing where no process is needed
 */
record StackStorage(Accounts.Storage account, Map<String, String> environment, String place, Runnable process)
        implements AutoCloseable {
    static StackStorage start(StorageKind kind, Home home, StackFolder folder)
            throws IOException, InterruptedException {
        return switch (kind) {
            case FILESYSTEM ->
                new StackStorage(
                        Accounts.Filesystem.of(folder.storage()),
                        Map.of(),
                        folder.storage().toString(),
                        () -> {});
            case AZURITE -> throw new UnsupportedOperationException(home.toString());
        };
    }

    @Override
    public void close() {
        process.run();
    }
}
