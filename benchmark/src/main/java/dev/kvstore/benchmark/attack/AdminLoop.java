package dev.kvstore.benchmark.attack;

import dev.kvstore.launcher.admin.AdminClient;
import dev.kvstore.launcher.admin.AdminException;
import dev.kvstore.launcher.admin.RestRequest;
import java.net.URI;
import java.util.function.IntFunction;

/** Threads that call the admin API again and again with one credential. */
final class AdminLoop {
    private AdminLoop() {}

    /**
     * Begins.
     *
     * @param perSecond the most calls of all threads together; 0 for no limit
     * @param calls is given another number each time
     * @param allowed whether the credential may make these calls, and wins nothing by an answer
     */
    static Attack.RunningAttack begin(
            AttackScene scene,
            String credential,
            int threads,
            int perSecond,
            IntFunction<RestRequest> calls,
            boolean allowed) {
        AdminClient client = new AdminClient(URI.create(scene.rest()), credential);
        return AttackLoop.counting(
                threads, perSecond, i -> isAnswered(client, calls.apply(i)) && !allowed, client::close);
    }

    private static boolean isAnswered(AdminClient client, RestRequest call) {
        try {
            var _ = client.send(call).accepted();
            return true;
        } catch (AdminException refused) {
            // It is not the attacker that must be served.
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
