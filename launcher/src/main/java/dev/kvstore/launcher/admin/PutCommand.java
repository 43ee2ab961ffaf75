package dev.kvstore.launcher.admin;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.launcher.ReportFile;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.AdminException;
import dev.kvstore.launcher.rest.RestRequest;
import dev.kvstore.launcher.rest.RestResponse;
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

/** {@code kv admin put}: makes a resource, or replaces its fields. */
@Command(
        name = "put",
        description =
                "Makes something, or changes it: it then is as the command says, and what the command does not say"
                        + " is as at first. To change some fields and keep the others: kv admin set.",
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
    private static final String VERSION = "version";
    private static final int PRECONDITION_FAILED = 412;

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

    @Option(
            names = "--file",
            paramLabel = "JSON",
            description = "A JSON object, as get --json FILE writes it; fields on the command line go before.")
    private @Nullable Path specFile;

    @Mixin
    private final ScopeFlags scope = new ScopeFlags();

    @Mixin
    private final Match match = new Match();

    @Option(names = "--if-absent", description = "Only if it is not there yet.")
    private boolean ifAbsent;

    @Option(
            names = "--initially",
            paramLabel = "FIELD=VALUE",
            description =
                    "The same for something new; what is there keeps its value of this field, and of each that the"
                            + " command does not name. Repeatable.")
    private List<String> initially = List.of();

    @Mixin
    private final Output output = new Output();

    @Mixin
    private final ConnectionFlags connection = new ConnectionFlags();

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        ResourceKind resourceKind = ResourceKind.of(kind);
        resourceKind.require("PUT", "put");
        List<String> path = match.path(resourceKind, item, scope);
        ObjectNode body = specFile == null ? JsonNodeFactory.instance.objectNode() : Body.read(specFile);
        boolean shown = resourceKind.list() != null && SettableFields.isShown(resourceKind, body);
        ItemReader reader = shown ? ItemReader.of(resourceKind, item, scope.given()) : null;
        ObjectNode checked = Body.of(resourceKind, body.deepCopy(), fields);
        Map<String, String> headers = match.headers();
        if (ifAbsent) {
            if (!headers.isEmpty()) {
                throw new IllegalArgumentException("--if-absent: contradicts --if-match");
            }
            headers = Map.of("If-None-Match", "*");
        }
        ObjectNode first = initial(resourceKind, checked);
        if (first != null) {
            if (!headers.isEmpty()) {
                throw new IllegalArgumentException("--initially: contradicts --if-match and --if-absent");
            }
            headers = Map.of("If-None-Match", "*");
        }
        ReportFile file = output.file();
        try (AdminClient client = connection.open()) {
            if (reader != null) {
                try {
                    checked = Body.of(resourceKind, SettableFields.of(resourceKind, body, reader.read(client)), fields);
                    // If the file has a version, the resource must still have that version.
                    headers = headers.isEmpty() && body.has(VERSION)
                            ? Match.headers(body.path(VERSION).asText())
                            : headers;
                } catch (AdminException e) {
                    // A resource that does not exist has no present fields; the control plane names the missing ones.
                    if (e.status() != ItemReader.NOT_FOUND) {
                        throw e;
                    }
                }
            }
            RestRequest put =
                    RestRequest.put(path, first == null ? checked : first).withHeaders(headers);
            RestResponse response = client.send(put);
            if (first != null && response.status() == PRECONDITION_FAILED) {
                response = client.send(RestRequest.patch(path, checked));
            }
            response.accepted();
            String text = (response.created() ? "created " : "changed ") + resourceKind.name() + " " + item + "\n\n"
                    + JsonTable.of(response.body());
            output.show(spec.commandLine().getOut(), file, response.body(), text);
        }
        return 0;
    }

    /** The body for a new resource; null if the command has no fields for one. */
    private @Nullable ObjectNode initial(ResourceKind resourceKind, ObjectNode body) {
        if (initially.isEmpty()) {
            return null;
        }
        resourceKind.require("PATCH", "--initially");
        if (body.has(Body.REPLICAS)) {
            throw new IllegalArgumentException("--initially: is not for accounts, whose replicas are put as a whole");
        }
        return Body.of(resourceKind, body.deepCopy(), initially);
    }
}
