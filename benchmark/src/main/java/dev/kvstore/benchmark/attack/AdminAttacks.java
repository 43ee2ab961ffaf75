package dev.kvstore.benchmark.attack;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.benchmark.attack.Attack.AttackTarget;
import dev.kvstore.benchmark.measure.AdminCalls;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.AdminException;
import dev.kvstore.launcher.rest.RestRequest;
import dev.kvstore.launcher.stack.LocalStack;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/** Attacks on the admin API: of a viewer, and of a tenant's admin by names. */
final class AdminAttacks {
    private static final int PUTS = 200;
    private static final int QUERIES = 40;
    private static final int LISTS = 60;
    private static final int NAMES = 4;
    private static final int CHANGES_PER_SECOND = 40;

    /** Words that a database, JSON, YAML or a URL may take for something else; each is a name that the API accepts. */
    private static final List<String> WORDS = List.of(
            "null", "true", "false", "nan", "infinity", "default", "0", "1e5", "0x0", "select", "current", "all");

    private AdminAttacks() {}

    static List<Attack> all() {
        return List.of(
                new Attack(
                        "viewer-puts",
                        PUTS + " changes of an account at a time that a viewer may not make",
                        AttackTarget.ADMIN_API,
                        scene -> calling(scene, scene.viewer(), PUTS, 0, false, i -> grant(scene, "grant-" + i))),
                new Attack(
                        "heat-queries",
                        QUERIES + " questions at a time about the use of " + Stages.HOT_ACCOUNTS + " accounts with "
                                + Stages.HOT_BLOCKS + " blocks each",
                        AttackTarget.ADMIN_API,
                        Attack.Stage.HEAT,
                        scene -> calling(
                                scene,
                                scene.viewer(),
                                QUERIES,
                                0,
                                true,
                                i -> RestRequest.get(List.of("v1", "accounts", Stages.hotAccount(i), "heat")))),
                new Attack(
                        "viewer-lists",
                        LISTS + " lists of a viewer at a time",
                        AttackTarget.REVOCATIONS,
                        scene -> calling(scene, scene.viewer(), LISTS, 0, true, AdminAttacks::list)),
                new Attack(
                        "tenant-names",
                        "accounts, grants and purges that a tenant's admin names null, true, 1e5 and the like",
                        AttackTarget.REVOCATIONS,
                        scene -> calling(
                                scene, scene.tenantAdmin(), NAMES, CHANGES_PER_SECOND, true, i -> change(scene, i))));
    }

    /** The request of a number. */
    @FunctionalInterface
    private interface NumberedRequest {
        RestRequest of(int number);
    }

    /** @param allowed whether the credential may make these calls, and wins nothing by an answer */
    private static AttackLoad calling(
            AttackScene scene,
            String credential,
            int callers,
            int perSecond,
            boolean allowed,
            NumberedRequest requests) {
        AdminClient client = new AdminClient(URI.create(scene.rest()), credential);
        return AttackLoad.calling(
                callers,
                perSecond,
                i -> {
                    try {
                        var _ = client.send(requests.of(i)).accepted();
                        return !allowed;
                    } catch (AdminException refused) {
                        // It is not the attacker that must be served.
                        return false;
                    }
                },
                client::close);
    }

    private static RestRequest grant(AttackScene scene, String name) {
        ObjectNode grant = AdminCalls.spec().put("grantee", LocalStack.TENANT);
        grant.putArray("access").add("read");
        return RestRequest.put(List.of("v1", "accounts", scene.resource(), "grants", name), grant);
    }

    private static RestRequest list(int i) {
        return switch (i % 4) {
            case 0 -> RestRequest.get(List.of("v1", "audit")).with("name", "made-up-" + i);
            case 1 -> RestRequest.get(List.of("v1", "audit")).with("actor", "made-up-" + i);
            case 2 -> RestRequest.get(List.of("v1", "accounts"));
            default -> RestRequest.get(List.of("v1", "refusals"));
        };
    }

    /** Makes, changes and deletes what has a name, in turn, so that no quota ends the attack. */
    private static RestRequest change(AttackScene scene, int i) {
        String word = WORDS.get(i / 4 % WORDS.size());
        List<String> account = List.of("v1", "accounts", word);
        return switch (i % 4) {
            // Over a storage that the tenant cannot prove to be its own.
            case 0 ->
                RestRequest.put(
                        account,
                        Stages.account(scene.region(), Path.of(scene.storage()).resolveSibling(word)));
            case 1 -> grant(scene, word);
            case 2 ->
                RestRequest.post(
                        List.of("v1", "purges"),
                        AdminCalls.spec().put("resourceName", scene.resource()).put("partition", word));
            default -> RestRequest.delete(account);
        };
    }
}
