package dev.kvstore.launcher.stack;

import dev.kvstore.launcher.PrivateFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The tenancy of a stack whose accounts are in a file. */
record FileTenancy(ApiKey key, Path accounts) implements Tenancy {
    static FileTenancy write(StackFolder folder, StackAccounts.Storage storage, RandomGenerator random)
            throws IOException {
        ApiKey key = folder.key(random);
        PrivateFile.write(
                folder.accounts(),
                StackAccounts.of(LocalStack.TENANT, key, LocalStack.RESOURCE, storage)
                        .toJson());
        return new FileTenancy(key, folder.accounts());
    }

    @Override
    public List<String> flags(StackLayout.Seat seat) {
        return List.of("--accounts", accounts.toString());
    }

    @Override
    public Map<String, String> environment(StackLayout.Seat seat) {
        return Map.of();
    }

    @Override
    public void awaitReady(StackDataPlane dataPlane) {
        // A data plane that is ready has read the file.
    }

    @Override
    public @Nullable StackControlPlane controlPlane() {
        return null;
    }

    @Override
    public void close() {
        // The file stays, like everything in the folder.
    }
}
