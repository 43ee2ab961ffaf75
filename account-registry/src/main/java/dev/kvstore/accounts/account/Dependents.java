package dev.kvstore.accounts.account;

import dev.kvstore.admin.caller.Caller;

/** What others keep that an account's end ends. Thread-safe. */
public interface Dependents {
    /** Ends what belongs to an account that is being deleted, in the transaction that deletes it. */
    void end(Caller caller, String resourceName);
}
