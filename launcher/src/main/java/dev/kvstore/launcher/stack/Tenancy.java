package dev.kvstore.launcher.stack;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The way in which the data planes of a stack learn keys, accounts and rights. One thread uses it. */
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

    /** The control plane; null if there is none. */
    @Nullable
    StackControlPlane controlPlane();

    @Override
    void close();
}
