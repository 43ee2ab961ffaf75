package dev.kvstore.launcher.admin;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.launcher.stack.ReportFile;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kv admin create key}: makes a key, whose secret is shown this once. */
@Command(
        name = "create",
        description = "Makes a key for a tenant. It is shown this once.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class CreateCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "key", description = "Keys alone are made so; all else is put.")
    private String kind = "";

    @Option(names = "--tenant", paramLabel = "T", required = true, description = "Whose it is to be.")
    private String tenant = "";

    @Option(names = "--label", paramLabel = "L", description = "For people.")
    private @Nullable String label;

    @Option(names = "--expires-at", paramLabel = "T", description = "When it ends, as in 2027-01-01T00:00:00Z.")
    private @Nullable String expiresAt;

    @Mixin
    private final Output output = new Output();

    @Mixin
    private final Connection connection = new Connection();

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        requireKey(kind, "created");
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        if (label != null) {
            body.put("label", label);
        }
        if (expiresAt != null) {
            body.put("expiresAt", expiresAt);
        }
        ReportFile file = output.file();
        try (AdminClient client = connection.open()) {
            Answer answer = client.send(Call.post(List.of("v1", "tenants", tenant, "keys"), body))
                    .accepted();
            output.show(spec.commandLine().getOut(), file, answer.body(), Table.of(answer.body()));
        }
        return 0;
    }

    /**
     * @throws IllegalArgumentException if it is another kind
     */
    static void requireKey(String kind, String done) {
        if (!Kind.of(kind).equals(Kind.KEY)) {
            throw new IllegalArgumentException("only keys are " + done + "; kv admin put makes and changes all else");
        }
    }
}
