package dev.kvstore.accounts.account;

import dev.kvstore.admin.caller.Caller;

/** Resources of an account that other modules keep, and that end with the account. Thread-safe. */
public interface Dependents {
    /** Ends the resources of an account that is being deleted, in the transaction that deletes the account. */
    void end(Caller caller, String resourceName);
}
