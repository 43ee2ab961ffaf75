package dev.kvstore.simulation.fleet;

import dev.kvstore.dataplane.account.Account;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.simulation.storage.SimulatedContainer;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The account as data planes of a region know it. Immutable, but for the containers.
 *
 * @param here the account's container in this region
 * @param there the container of the region that is read through to; null for none
 */
public record RegionAccount(
        SimulatedContainer here, @Nullable SimulatedContainer there) {
    private static final StorageLocation HOME = new StorageLocation.Filesystem(Path.of(SimulatedAccount.FOLDER));
    private static final StorageLocation FAR = new StorageLocation.Filesystem(Path.of("/far"));

    /** The time that a call waits for the other region. */
    private static final Duration WITHIN = Duration.ofSeconds(2);

    Account account() {
        return there == null
                ? new Account(SimulatedAccount.RESOURCE, "tenant", HOME)
                : new Account(
                        SimulatedAccount.RESOURCE,
                        "tenant",
                        FAR,
                        Account.Limits.NONE,
                        new Account.ReadThrough("home", HOME, WITHIN));
    }
}
