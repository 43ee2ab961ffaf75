package dev.kvstore.launcher.admin;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.launcher.ReportFile;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.RestRequest;
import dev.kvstore.launcher.rest.RestResponse;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kv admin rotate key}: makes a key that replaces another one. */
@Command(
        name = "rotate",
        description = "Makes a key in place of another, which stays good for a while. The new one is shown this once.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class RotateCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "key", description = "Keys alone are rotated.")
    private String kind = "";

    @Parameters(index = "1", paramLabel = "ID", description = "Id of the key to replace.")
    private String item = "";

    @Option(names = "--tenant", paramLabel = "T", required = true, description = "Tenant of the key.")
    private String tenant = "";

    @Option(
            names = "--overlap",
            paramLabel = "SECONDS",
            description = "Seconds for which the old key stays good, 0 to 2592000 (30 days). Default: 86400 (a day).")
    private @Nullable Long overlap;

    @Mixin
    private final Output output = new Output();

    @Mixin
    private final ConnectionFlags connection = new ConnectionFlags();

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        if (!ResourceKind.of(kind).equals(ResourceKind.KEY)) {
            throw new IllegalArgumentException("only keys are rotated; kv admin put makes and changes all else");
        }
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        if (overlap != null) {
            body.put("overlapSeconds", overlap);
        }
        ReportFile file = output.file();
        try (AdminClient client = connection.open()) {
            RestResponse response = client.send(
                            RestRequest.post(List.of("v1", "tenants", tenant, "keys", item, "rotate"), body))
                    .accepted();
            output.show(spec.commandLine().getOut(), file, response.body(), JsonTable.of(response.body()));
        }
        return 0;
    }
}
