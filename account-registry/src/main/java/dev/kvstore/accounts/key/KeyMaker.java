package dev.kvstore.accounts.key;

import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.problem.FailureCauses;
import dev.kvstore.admin.problem.ProblemException;
import dev.kvstore.admin.problem.ProblemKind;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * Makes keys, and prevents keys whose secret nobody got. If the database did not answer the commit in time, the maker
 * finds out whether the key was made before the caller gets an answer. Thread-safe.
 */
@ApplicationScoped
public class KeyMaker {
    private static final Logger LOG = System.getLogger(KeyMaker.class.getName());

    private final Keys keys;
    private final Secrets secrets;
    private final TransactionSynchronizationRegistry transaction;

    KeyMaker(Keys keys, Secrets secrets, TransactionSynchronizationRegistry transaction) {
        this.keys = keys;
        this.secrets = secrets;
        this.transaction = transaction;
    }

    NewKey create(Caller caller, String tenant, KeySpec spec) {
        return make(caller, text -> keys.create(caller, tenant, spec, text));
    }

    NewKey rotate(Caller caller, String tenant, String id, RotationSpec spec) {
        return make(caller, text -> keys.rotate(caller, tenant, id, spec, text));
    }

    /** A way to make a key of the whole key's text. */
    @FunctionalInterface
    private interface Making {
        NewKey make(String text);
    }

    private NewKey make(Caller caller, Making making) {
        String text = secrets.key();
        if (transaction.getTransactionKey() != null) {
            // An outer transaction commits the key later, with the answer; the caller then repeats the request.
            return making.make(text);
        }
        try {
            return making.make(text);
        } catch (ProblemException e) {
            throw e;
        } catch (Exception e) {
            if (FailureCauses.isReadOnly(e)) {
                // The database answered that it makes no key.
                throw e;
            }
            NewKey made = known(caller, text, e);
            if (made == null) {
                throw e;
            }
            return made;
        }
    }

    private @Nullable NewKey known(Caller caller, String text, Exception failure) {
        String id = Secrets.id(text);
        LOG.log(Level.WARNING, "the database did not confirm the key " + id + ", which is looked up now", failure);
        try {
            return keys.made(caller, text);
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "it is not known whether the key " + id + " was made", e);
            throw ProblemException.of(
                    ProblemKind.UNAVAILABLE,
                    "it is not known whether the key " + id
                            + " was made: revoke it if the list of keys has it, and make" + " another");
        }
    }
}
