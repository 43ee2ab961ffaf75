package dev.kvstore.launcher.admin;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kv admin probe account}: has an account's storage tried again. */
@Command(
        name = "probe",
        description = "Has the storage of an account tried again now by a data plane.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class ProbeCommand implements Callable<Integer> {
    private static final String ACCOUNT = "account";

    @Parameters(index = "0", paramLabel = ACCOUNT, description = "Accounts alone are probed.")
    private String kind = "";

    @Parameters(index = "1", paramLabel = "NAME", description = "Name of the account.")
    private String item = "";

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
        try (AdminClient client = connection.open()) {
            client.send(RestRequest.post(List.of("v1", "accounts", item, "probe"), null))
                    .accepted();
        }
        spec.commandLine()
                .getOut()
                .println("a data plane will try the storage of " + item + "; kv admin get account " + item
                        + " shows what it finds");
        return 0;
    }
}
