package dev.kvstore.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kvstore.endtoend.Terraform.TerraformResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Plans of Terraform's examples, and pages that show what scripts of {@code terraform} print of them. Stateless. */
final class PlannedExample {
    /** What each example needs that makes a control plane. */
    private static final String WHOLE = """
            subscription_id    = "00000000-0000-0000-0000-000000000000"
            control_plane_name = "kv-eu-control"
            ssh_public_key     = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBdsCRBhYQcLzfV0dDKEe3hdCWFCYqMKCPQ2SYFBo9+7 admin"
            database_password  = "0123456789abcdef0123456789abcdef"
            admin_token        = "kva_0123456789abcdef"
            join_token_secret  = "0123456789abcdef0123456789abcdef0123456789abcdef"
            image_id           = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/galleries/kv/images/kvstore/versions/1.0.0"
            """;

    /** The variables of the example one-region that have no default. */
    static final String ONE_REGION = WHOLE;

    /** The variables of the example five-regions that make it one of its first two regions. */
    static final String TWO_REGIONS = WHOLE + """
            regions = {
              eu-1 = { location = "northeurope", address_space = "10.64.0.0/16" }
              eu-2 = { location = "westeurope", address_space = "10.65.0.0/16" }
            }
            round_trip_micros = { "eu-1/eu-2" = 18000 }
            """;

    private PlannedExample() {}

    /** The plan of an example with these variables, as Terraform shows it. */
    static String json(String name, String variables) throws Exception {
        try (Workshop workshop = Workshop.open()) {
            Path example = workshop.root().resolve("terraform/examples").resolve(name);
            Files.writeString(example.resolve("mine.auto.tfvars"), variables);
            Map<String, String> environment = new HashMap<>(workshop.terraform().environment());
            environment.put("TF_CLI_ARGS", "-no-color");
            environment.put("TF_INPUT", "0");
            Terraform terraform = new Terraform(environment);
            String said = "";
            for (List<String> command :
                    List.of(List.of("init"), List.of("plan", "-out=plan"), List.of("show", "-json", "plan"))) {
                TerraformResult result = terraform.run(example, command);
                assertThat(result.isGood()).as(result.said()).isTrue();
                said = result.said();
            }
            return said;
        }
    }

    static void requirePython() {
        assumeTrue(
                Stream.of(System.getenv("PATH").split(":"))
                        .anyMatch(path -> Files.isExecutable(Path.of(path, "python3"))),
                "missing: python3, of the package python3");
    }

    /** What a script of the folder terraform prints of a plan. */
    static String printed(String script, Path plan, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Documents.ROOT.resolve("terraform").resolve(script).toString());
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(plan.toFile())
                .start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    /**
     * Requires what a script printed between two lines of a page. With the system property {@code docs.write} it is
     * written there.
     */
    static void requireOnPage(String name, String begin, String printed, String end) throws IOException {
        Path page = Documents.ROOT.resolve(name);
        String part = "\n" + printed + "\n";
        if (Boolean.getBoolean("docs.write")) {
            String text = Files.readString(page);
            int from = text.indexOf(begin) + begin.length();
            Files.writeString(page, text.substring(0, from) + part + text.substring(text.indexOf(end, from)));
        }
        assertThat(Files.readString(page)).contains(begin + part + end);
    }
}
