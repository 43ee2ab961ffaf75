package dev.kvstore.benchmark.attack;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.benchmark.attack.Attack.AttackTarget;
import dev.kvstore.launcher.admin.AdminClient;
import dev.kvstore.launcher.admin.AdminException;
import dev.kvstore.launcher.admin.RestRequest;
import dev.kvstore.launcher.stack.LocalStack;
import java.net.URI;
import java.util.List;
import java.util.function.IntFunction;

/** Attacks of a viewer on the admin API. */
final class ControlAttacks {
    private static final int PUTS = 200;
    private static final int QUERIES = 40;

    private ControlAttacks() {}

    static List<Attack> all() {
        return List.of(
                new Attack(
                        "viewer-puts",
                        PUTS + " changes of an account at a time that a viewer may not make",
                        AttackTarget.ADMIN_API,
                        (scene, _) -> ask(
                                scene,
                                PUTS,
                                i -> RestRequest.put(
                                        List.of(
                                                "v1",
                                                "accounts",
                                                scene.hostile().resource(),
                                                "grants",
                                                "grant-" + i),
                                        grant()),
                                false)),
                new Attack(
                        "heat-queries",
                        QUERIES + " questions at a time about the use of " + Stages.HOT_ACCOUNTS + " accounts with "
                                + Stages.HOT_BLOCKS + " blocks each",
                        AttackTarget.ADMIN_API,
                        Attack.Stage.HEAT,
                        (scene, _) -> ask(
                                scene,
                                QUERIES,
                                i -> RestRequest.get(List.of("v1", "accounts", Stages.hotAccount(i), "heat")),
                                true)));
    }

    private static ObjectNode grant() {
        ObjectNode grant = JsonNodeFactory.instance.objectNode().put("grantee", LocalStack.TENANT);
        grant.putArray("access").add("read");
        return grant;
    }

    /**
     * Asks as a viewer, again and again.
     *
     * @param allowed whether a viewer may ask this, and wins nothing by an answer
     */
    private static Attack.RunningAttack ask(
            AttackScene scene, int threads, IntFunction<RestRequest> calls, boolean allowed) {
        AdminClient client = new AdminClient(URI.create(scene.rest()), scene.viewer());
        return AttackLoop.counting(threads, i -> isAnswered(client, calls.apply(i)) && !allowed, client::close);
    }

    private static boolean isAnswered(AdminClient client, RestRequest call) {
        try {
            var _ = client.send(call).accepted();
            return true;
        } catch (AdminException refused) {
            // It is not the viewer that must be served.
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
