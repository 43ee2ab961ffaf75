package dev.kvstore.launcher.stack;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How the data planes of a stack learn keys, accounts and rights. For one thread. */
sealed interface Tenancy extends AutoCloseable permits FileTenancy, RegisteredTenancy {
    /** The key of the stack's tenant. */
    ApiKey key();

    /** The flags that a data plane's command line needs. */
    List<String> flags(StackLayout.Seat seat);

    /** The variables that a data plane's environment needs. */
    Map<String, String> environment(StackLayout.Seat seat);

    /**
     * Waits until the tenant's storage can be used.
     *
     * @param dataPlane a ready data plane
     */
    void awaitReady(StackDataPlane dataPlane) throws InterruptedException;

    /** Null if there is none. */
    @Nullable
    StackControlPlane controlPlane();

    @Override
    void close();
}
