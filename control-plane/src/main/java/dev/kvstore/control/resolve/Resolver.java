package dev.kvstore.control.resolve;

import dev.kvstore.accounts.resolve.DatabaseAccountResolver;
import dev.kvstore.accounts.resolve.Resolved;
import dev.kvstore.admin.change.ChangeLog;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;

/** Resolves, and says which changes the answer knows of, in one transaction. Thread-safe. */
@ApplicationScoped
public class Resolver {
    /**
     * An answer.
     *
     * @param change the last one that it certainly knows of; it may know of more
     */
    record Known(long change, Resolved resolved) {}

    private final ChangeLog changes;
    private final DatabaseAccountResolver accounts;

    Resolver(ChangeLog changes, DatabaseAccountResolver accounts) {
        this.changes = changes;
        this.accounts = accounts;
    }

    @Transactional
    Known resolve(String keyId, byte[] sha256, String resourceName, String region) {
        // First: what is looked up later can only know more.
        long change = changes.last();
        return new Known(change, accounts.resolve(keyId, sha256, resourceName, region));
    }
}
