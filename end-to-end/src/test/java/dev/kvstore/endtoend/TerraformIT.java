package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kvstore.client.KvClient;
import dev.kvstore.launcher.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The way of docs/operations/terraform-provider.md, with the configuration that stands there: from an empty folder and
 * an empty HOME to a tenant whose key the SDK uses, and back to nothing. With Terraform and with OpenTofu, whichever is
 * there.
 */
class TerraformIT {
    private static final Path PAGE = Home.current().path().resolve("docs/operations/terraform-provider.md");
    private static final byte[] BUFFER = TestPrompt.bytes(100_000, 7);
    private static final long BUILD_SECONDS = 900;
    private static final long RUN_SECONDS = 120;
    private static final int NOTHING_TO_DO = 0;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    private KvUp up;
    private Path work;
    private Path home;
    private TerraformProgram program = TerraformProgram.TERRAFORM;
    private String tenant = "";

    @BeforeEach
    void prepare() throws IOException {
        assumeTrue(GoTool.isOnPath("go"), "missing: go, of https://go.dev, which builds the Terraform provider");
        up = KvUp.shared();
        work = Files.createDirectory(folder.resolve("acme"));
        home = Files.createDirectory(folder.resolve("home"));
    }

    @ParameterizedTest
    @EnumSource
    void aTenantIsRegisteredUsedAndTakenBack(TerraformProgram by) throws Exception {
        by.require();
        program = by;
        tenant = "from-" + by.command();
        installTheProvider();
        Files.writeString(work.resolve("main.tf"), configuration());
        String blocks = "folder=" + folder.resolve("blocks");

        terraform("init", "-no-color");
        terraform("apply", "-no-color", "-auto-approve", "-var", blocks);

        String key = terraform("output", "-raw", "key");
        writeAndRead(key);
        assertThat(run("plan", "-no-color", "-detailed-exitcode", "-var", blocks)
                        .exitCode())
                .as("a second plan has nothing to do")
                .isEqualTo(NOTHING_TO_DO);

        terraform("destroy", "-no-color", "-auto-approve", "-var", blocks);

        assertThat(terraform("state", "list")).isEmpty();
        assertThat(up.admin("get", "account", tenant + "-cache").out()).containsPattern("state +deleted");
        assertThat(up.admin("get", "tenant", tenant).out()).containsPattern("state +deleted");
    }

    private void installTheProvider() throws Exception {
        Kv.KvResult mirror = Kv.run(
                folder,
                Map.of(),
                List.of("terraform", "mirror", folder.resolve("mirror").toString()),
                BUILD_SECONDS);
        assertThat(mirror.exitCode()).as(mirror.err()).isZero();
        Files.writeString(folder.resolve("kv.tfrc"), mirror.out());
    }

    /** The first block of the page that is marked as HCL, under a name that no other test of this stack uses. */
    private String configuration() throws IOException {
        String page = Files.readString(PAGE);
        int begin = page.indexOf("```hcl\n") + "```hcl\n".length();
        return page.substring(begin, page.indexOf("```", begin)).replace("acme", tenant);
    }

    private void writeAndRead(String key) {
        TestPrompt prompt = TestPrompt.unique(2);
        try (KvClient client = KvClient.builder()
                .controlPlane(up.controlPlane())
                .noRouteCache()
                .resource(tenant + "-cache")
                .apiKey(key)
                .build()) {
            client.write(prompt.partition(), prompt.block(0, BUFFER));
            client.write(prompt.partition(), prompt.block(1, BUFFER));
            Stacks.assertHolds(client, prompt.chain(), _ -> BUFFER);
        }
    }

    private String terraform(String... arguments) throws Exception {
        TerraformRun run = run(arguments);
        assertThat(run.exitCode())
                .as("%s %s: %s", program.command(), String.join(" ", arguments), run.said())
                .isZero();
        return run.said().strip();
    }

    private record TerraformRun(int exitCode, String said) {}

    private TerraformRun run(String... arguments) throws Exception {
        Path said = Files.createTempFile(folder, "said-", ".txt");
        ProcessBuilder builder = new ProcessBuilder(Stream.concat(Stream.of(program.command()), Stream.of(arguments))
                        .toList())
                .directory(work.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile());
        builder.environment()
                .putAll(Map.of(
                        "HOME", home.toString(),
                        "TF_CLI_CONFIG_FILE", folder.resolve("kv.tfrc").toString(),
                        "CHECKPOINT_DISABLE", "1",
                        "KVSTORE_URL", up.restUrl(),
                        "KVSTORE_ADMIN_TOKEN", up.adminToken()));
        Process process = builder.start();
        process.getOutputStream().close();
        boolean ended = process.waitFor(RUN_SECONDS, TimeUnit.SECONDS);
        process.destroyForcibly();
        assertThat(ended)
                .as("%s %s ends: %s", program.command(), String.join(" ", arguments), Files.readString(said))
                .isTrue();
        return new TerraformRun(process.exitValue(), Files.readString(said));
    }
}
