package dev.kvstore.dataplane.cluster;

import dev.kvstore.dataplane.account.AccountResolver;
import dev.kvstore.dataplane.call.Drain;
import dev.kvstore.protocol.control.v1.Instructions;
import org.jspecify.annotations.Nullable;

/** Follows the control plane's instructions. For one thread. */
public final class Instructed implements Membership.Follower {
    private final Drain drain;
    private final Announcer announcer;
    private final AccountResolver accounts;
    private @Nullable String peersVersion;

    public Instructed(Drain drain, Announcer announcer, AccountResolver accounts) {
        this.drain = drain;
        this.announcer = announcer;
        this.accounts = accounts;
    }

    @Override
    public void follow(Instructions instructions) {
        drain.wish(Drain.Wish.INSTRUCTED, instructions.getDrain());
        if (instructions.getRefresh()) {
            accounts.refresh();
        }
        String version = instructions.getPeersVersion();
        // Without a version no peers were counted: a replica that has just started has not looked yet.
        if (instructions.getPeersCount() > 0 || !(version.isEmpty() || version.equals(peersVersion))) {
            announcer.tell(instructions.getPeersList());
            peersVersion = version;
        }
    }

    @Override
    public boolean isDraining() {
        return drain.isWantedHere();
    }
}
