package dev.kvstore.launcher.stack;

import dev.kvstore.launcher.azurite.Azurite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/**
 * The storage of a running stack.
 *
 * @param account the storage in the form for data planes
 * @param environment further variables for a data plane: the secrets that {@code account} refers to
 * @param place the folder or the address, for people
 * @param process ends its process, if it has one
 */
record StackStorage(StackAccounts.Storage account, Map<String, String> environment, String place, Runnable process)
        implements AutoCloseable {
    // The name must not be that of a setting: a data plane refuses unknown settings.
    private static final String CONNECTION_STRING = "AZURITE_CONNECTION_STRING";

    /** Starts the storage of a region. */
    static StackStorage start(StorageKind kind, StackFolder folder, String region)
            throws IOException, InterruptedException {
        return switch (kind) {
            case FILESYSTEM -> filesystem(folder.storage(region));
            case AZURITE -> azurite(folder.azurite(region), variable(region));
        };
    }

    private static String variable(String region) {
        return region.equals(StackLayout.HOME)
                ? CONNECTION_STRING
                : CONNECTION_STRING + "_" + region.toUpperCase(Locale.ROOT).replace('-', '_');
    }

    private static StackStorage filesystem(Path folder) throws IOException {
        Files.createDirectories(folder);
        return new StackStorage(StackAccounts.Filesystem.of(folder), Map.of(), folder.toString(), () -> {});
    }

    private static StackStorage azurite(Path folder, String variable) throws IOException, InterruptedException {
        Azurite azurite = Azurite.inFolder(folder, 0);
        String endpoint = azurite.endpoint().toString();
        return new StackStorage(
                new StackAccounts.Azure(endpoint, LocalStack.RESOURCE, "env:" + variable, true),
                Map.of(variable, azurite.connectionString()),
                endpoint + "/" + LocalStack.RESOURCE + " (in " + folder + ")",
                azurite::close);
    }

    @Override
    public void close() {
        process.run();
    }
}
