package dev.kvstore.benchmark.attack;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.benchmark.attack.Attack.AttackTarget;
import dev.kvstore.launcher.admin.RestRequest;
import java.util.List;

/** Attacks that would keep data planes from hearing of changes: by reads, and by names. */
final class FeedAttacks {
    private static final int LISTS = 60;
    private static final int NAMES = 4;
    private static final int CHANGES_PER_SECOND = 40;

    /** Words that a database, JSON, YAML or a URL may take for something else; each is a name that the API accepts. */
    private static final List<String> WORDS = List.of(
            "null", "true", "false", "nan", "infinity", "default", "0", "1e5", "0x0", "select", "current", "all");

    private FeedAttacks() {}

    static List<Attack> all() {
        return List.of(
                new Attack(
                        "viewer-lists",
                        LISTS + " lists of a viewer at a time",
                        AttackTarget.REVOCATIONS,
                        (scene, _) -> AdminLoop.begin(scene, scene.viewer(), LISTS, 0, FeedAttacks::list, true)),
                new Attack(
                        "tenant-names",
                        "accounts, grants and purges that a tenant's admin names null, true, 1e5 and the like",
                        AttackTarget.REVOCATIONS,
                        (scene, _) -> AdminLoop.begin(
                                scene, scene.tenantAdmin(), NAMES, CHANGES_PER_SECOND, i -> change(scene, i), true)));
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
            case 0 -> RestRequest.put(account, account(scene, word));
            case 1 ->
                RestRequest.put(
                        List.of("v1", "accounts", scene.hostile().resource(), "grants", word), ControlAttacks.grant());
            case 2 ->
                RestRequest.post(
                        List.of("v1", "purges"),
                        JsonNodeFactory.instance
                                .objectNode()
                                .put("resourceName", scene.hostile().resource())
                                .put("partition", word));
            default -> RestRequest.delete(account);
        };
    }

    /** An account over a storage that the tenant cannot prove to be its own. */
    private static ObjectNode account(AttackScene scene, String word) {
        ObjectNode account = JsonNodeFactory.instance.objectNode().put("tenant", Stages.TENANT);
        account.putArray("replicas")
                .addObject()
                .put("region", scene.rogue().region())
                .put(
                        "endpoint",
                        scene.hostile().folder().resolveSibling(word).toUri().toString());
        return account;
    }
}
