package dev.kvstore.launcher.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.launcher.ReportFile;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.AdminException;
import dev.kvstore.launcher.rest.RestRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kv admin probe account}: starts a trial of an account's storage, and shows the outcome. */
@Command(
        name = "probe",
        description = "Has the storage of an account tried now by a data plane, ready or not, and shows the outcome.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Storage that was ready stays in use when a trial fails. Exit code 1: a trial failed, or none was made."
        })
final class ProbeCommand implements Callable<Integer> {
    private static final String ACCOUNT = "account";
    private static final List<String> COLUMNS = List.of("region", "name", "ok", "millis", "reason");

    /** The longest wait: more than a data plane has for a trial, after which another one gets it. */
    private static final Duration WITHIN = Duration.ofSeconds(90);

    private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

    @Parameters(index = "0", paramLabel = ACCOUNT, description = "Accounts alone are probed.")
    private String kind = "";

    @Parameters(index = "1", paramLabel = "NAME", description = "Name of the account.")
    private String item = "";

    @Option(names = "--detach", description = "Do not wait for the end.")
    private boolean detach;

    @Mixin
    private final Output output = new Output();

    @Mixin
    private final ConnectionFlags connection = new ConnectionFlags();

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        if (!ResourceKind.of(kind).name().equals(ACCOUNT)) {
            throw new IllegalArgumentException("only accounts are probed");
        }
        ReportFile file = output.file();
        try (AdminClient client = connection.open()) {
            JsonNode before = account(client);
            client.send(RestRequest.post(List.of("v1", "accounts", item, "probe"), null))
                    .accepted();
            JsonNode account = detach ? before : tried(client, before);
            output.show(spec.commandLine().getOut(), file, account, detach ? later() : outcome(account));
            return detach
                            || replicas(account)
                                    .allMatch(replica ->
                                            report(replica).path("ok").asBoolean())
                    ? 0
                    : 1;
        }
    }

    private JsonNode account(AdminClient client) throws InterruptedException {
        return client.send(RestRequest.get(List.of("v1", "accounts", item)))
                .accepted()
                .body();
    }

    /** Waits until each of an account's replicas has a new report, and returns the account. */
    private JsonNode tried(AdminClient client, JsonNode before) throws InterruptedException {
        List<JsonNode> old = replicas(before).map(ProbeCommand::report).toList();
        long end = System.nanoTime() + WITHIN.toNanos();
        while (true) {
            JsonNode account = account(client);
            if (replicas(account)
                    .map(ProbeCommand::report)
                    .noneMatch(report -> report.isMissingNode() || old.contains(report))) {
                return account;
            }
            if (System.nanoTime() >= end) {
                throw new AdminException(
                        0,
                        "no data plane has tried the storage of " + item + " within " + WITHIN.toSeconds()
                                + " s: is one connected? kv admin get processes --cluster C shows them");
            }
            TimeUnit.NANOSECONDS.sleep(LOOK_AGAIN.toNanos());
        }
    }

    private static Stream<JsonNode> replicas(JsonNode account) {
        return account.path("replicas").valueStream();
    }

    private static JsonNode report(JsonNode replica) {
        return replica.path("report");
    }

    private String later() {
        return "a data plane will try the storage of " + item + "; kv admin get account " + item
                + " shows what it finds\n";
    }

    /** The text with each step of each trial, and a line for each replica. */
    private static String outcome(JsonNode account) {
        List<JsonNode> steps = new ArrayList<>();
        StringBuilder lines = new StringBuilder();
        replicas(account).forEach(replica -> {
            String region = replica.path("region").asText();
            report(replica).path("steps").forEach(step -> {
                ObjectNode row = JsonNodeFactory.instance.objectNode().put("region", region);
                step.properties().forEach(field -> row.set(field.getKey(), field.getValue()));
                steps.add(row);
            });
            boolean ok = report(replica).path("ok").asBoolean();
            boolean used = replica.path("state").asText().equals("ready");
            lines.append(region)
                    .append(ok ? ": the trial succeeded" : ": the trial failed")
                    .append(used && !ok ? "; the storage was ready before and stays in use" : "")
                    .append('\n');
        });
        return JsonTable.of(COLUMNS, steps) + "\n" + lines;
    }
}
