package dev.kvstore.accounts.account;

import dev.kvstore.admin.caller.Caller;

/** Things of an account that other rooms keep, and that end with the account. Thread-safe. */
public interface Dependents {
    /** Ends the things of an account that is being deleted, in the transaction that deletes the account. */
    void end(Caller caller, String resourceName);
}
