package dev.kvstore.launcher.admin;

import dev.kvstore.launcher.stack.ReportFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kv admin put}: makes something, or changes it. */
@Command(
        name = "put",
        description =
                "Makes something, or changes it: it then is as the command says, and what the command does not say"
                        + " is as at first.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "  kv admin put tenant acme displayName=Acme",
            "  kv admin put account acme-prod tenant=acme region=eu-1 container=blocks \\",
            "      endpoint=https://acme.blob.core.windows.net credential=managed-identity",
            "  kv admin put grant reader --account acme-prod grantee=models access=read,write",
            "  kv admin put placement eu-1 --account acme-prod cluster=eu-1-a pinned=true",
            "  kv admin put round-trip us-1 --region eu-1 micros=80000",
            "An account's region, endpoint, container, credential, createContainer and vouched are those of its first",
            "replica; further replicas are given by --file."
        })
final class PutCommand implements Callable<Integer> {
    @Parameters(
            index = "0",
            paramLabel = "KIND",
            description = "tenant, account, limits, grant, placement, region, round-trip, cluster or process.")
    private String kind = "";

    @Parameters(index = "1", paramLabel = "NAME", description = "Its name; of limits, the account's.")
    private String item = "";

    @Parameters(
            index = "2..*",
            paramLabel = "FIELD=VALUE",
            description = "Fields and their values; leave a field out for its default.")
    private List<String> fields = List.of();

    @Option(names = "--file", paramLabel = "JSON", description = "A JSON object; fields on the command line go before.")
    private @Nullable Path specFile;

    @Mixin
    private final ScopeFlags scope = new ScopeFlags();

    @Mixin
    private final Match match = new Match();

    @Option(names = "--if-absent", description = "Only if it is not there yet.")
    private boolean ifAbsent;

    @Mixin
    private final Output output = new Output();

    @Mixin
    private final ConnectionFlags connection = new ConnectionFlags();

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        ResourceKind wanted = ResourceKind.of(kind);
        wanted.require("PUT", "put");
        RestRequest call = RestRequest.put(match.path(wanted, item, scope), Body.of(wanted, specFile, fields));
        Map<String, String> headers = match.headers();
        if (ifAbsent) {
            if (!headers.isEmpty()) {
                throw new IllegalArgumentException("--if-absent: contradicts --if-match");
            }
            headers = Map.of("If-None-Match", "*");
        }
        ReportFile file = output.file();
        try (AdminClient client = connection.open()) {
            RestResponse answer = client.send(call.withHeaders(headers)).accepted();
            String text = (answer.created() ? "created " : "changed ") + wanted.name() + " " + item + "\n\n"
                    + JsonTable.of(answer.body());
            output.show(spec.commandLine().getOut(), file, answer.body(), text);
        }
        return 0;
    }
}
