package dev.kvstore.accounts.account;

import dev.kvstore.admin.caller.Caller;

/** Resources that end with the account that they belong to. Thread-safe. */
public interface AccountDependent {
    /** Ends the resources of an account that is being deleted, in the transaction that deletes the account. */
    void end(Caller caller, Account account);
}
