package dev.kvstore.launcher.admin;

import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.RestRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kv admin delete}: deletes a resource, or revokes a key or join token. */
@Command(
        name = "delete",
        description =
                "Ends something; a key or join token is revoked. Data planes know within 5 s, control planes within 3 s.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class DeleteCommand implements Callable<Integer> {
    @Parameters(
            index = "0",
            paramLabel = "KIND",
            description = "tenant, key, account, grant, placement, region, cluster, join-token or process.")
    private String kind = "";

    @Parameters(index = "1", paramLabel = "NAME", description = "Its name; of a key or join token, its id.")
    private String item = "";

    @Mixin
    private final ScopeFlags scope = new ScopeFlags();

    @Mixin
    private final Match match = new Match();

    @Mixin
    private final ConnectionFlags connection = new ConnectionFlags();

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        ResourceKind resourceKind = ResourceKind.of(kind);
        resourceKind.require("DELETE", "delete");
        RestRequest request =
                RestRequest.delete(match.path(resourceKind, item, scope)).withHeaders(match.headers());
        try (AdminClient client = connection.open()) {
            client.send(request).accepted();
        }
        spec.commandLine()
                .getOut()
                .println((resourceKind.equals(ResourceKind.KEY) || resourceKind.equals(ResourceKind.JOIN_TOKEN)
                                ? "revoked "
                                : "deleted ")
                        + resourceKind.name() + " " + item);
        return 0;
    }
}
