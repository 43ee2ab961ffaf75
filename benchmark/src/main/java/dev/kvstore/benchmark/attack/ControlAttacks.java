package dev.kvstore.benchmark.attack;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.benchmark.attack.Attack.AttackTarget;
import dev.kvstore.launcher.admin.RestRequest;
import dev.kvstore.launcher.stack.LocalStack;
import java.util.List;

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
                        (scene, _) -> AdminLoop.begin(
                                scene,
                                scene.viewer(),
                                PUTS,
                                0,
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
                        (scene, _) -> AdminLoop.begin(
                                scene,
                                scene.viewer(),
                                QUERIES,
                                0,
                                i -> RestRequest.get(List.of("v1", "accounts", Stages.hotAccount(i), "heat")),
                                true)));
    }

    static ObjectNode grant() {
        ObjectNode grant = JsonNodeFactory.instance.objectNode().put("grantee", LocalStack.TENANT);
        grant.putArray("access").add("read");
        return grant;
    }
}
