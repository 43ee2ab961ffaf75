package dev.kvstore.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kvstore.endtoend.Terraform.TerraformResult;
import dev.kvstore.launcher.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The tables of docs/operations/azure-costs.md are what {@code terraform/costs} prints of a plan of one-region. With
 * the system property {@code docs.write} they are written again.
 */
class CostsIT {
    private static final String BEGIN = "<!-- Printed by terraform/costs: CostsIT compares it. -->\n";
    private static final String END = "<!-- End of what is printed. -->\n";

    @TempDir
    Path folder;

    @Test
    void thePageHasWhatTheScriptCountsInThePlanOfOneRegion() throws Exception {
        requirePython();
        Path page = Home.current().path().resolve("docs/operations/azure-costs.md");
        String text = Files.readString(page);
        int begin = text.indexOf(BEGIN) + BEGIN.length();
        int end = text.indexOf(END, begin);

        String printed = "\n" + costs(Files.writeString(folder.resolve("plan.json"), plan())) + "\n";

        if (Boolean.getBoolean("docs.write")) {
            Files.writeString(page, text.substring(0, begin) + printed + text.substring(end));
        }
        assertThat(Files.readString(page)).contains(BEGIN + printed + END);
    }

    @Test
    void whatHasNoPriceIsNotInTheSum() throws Exception {
        requirePython();
        Path plan = Files.writeString(folder.resolve("plan.json"), """
                {"planned_values": {"root_module": {
                  "resources": [
                    {"mode": "managed", "type": "azurerm_orchestrated_virtual_machine_scale_set", "values": {
                      "instances": 4, "sku_name": "Standard_E8ds_v5", "network_interface": [{}, {}],
                      "os_disk": [{"storage_account_type": "Premium_LRS"}]}},
                    {"mode": "managed", "type": "azurerm_bastion_host", "values": {}}
                  ],
                  "child_modules": [{"resources": [
                    {"mode": "managed", "type": "azurerm_bastion_host", "values": {}},
                    {"mode": "data", "type": "azurerm_key_vault", "values": {}}
                  ]}]
                }}}
                """);
        Path prices = Files.writeString(
                folder.resolve("prices.csv"),
                "what,unit,price,source\nStandard_E8ds_v5,hour,0.5,x\nBastion,hour,0.19,x\n");

        assertThat(costs(plan, prices)).isEqualTo("""
                | what | number | dollars an hour | a month |
                |---|---|---|---|
                | Bastion | 2 | 0.19 | 277 |
                | disk of the operating system, `Premium_LRS 30 GiB` | 4 | p |  |
                | machine, `Standard_E8ds_v5` | 4 | 0.5 | 1,460 |
                | **together, without p** | | | **1,737** |

                | quota | this plan needs |
                |---|---|
                | network cards | 8 |
                | vCPUs of Standard_E8ds_v5 | 32 |
                """);
    }

    private static void requirePython() {
        assumeTrue(
                Stream.of(System.getenv("PATH").split(":"))
                        .anyMatch(path -> Files.isExecutable(Path.of(path, "python3"))),
                "missing: python3, of the package python3");
    }

    private static String plan() throws Exception {
        try (Workshop workshop = Workshop.open()) {
            Path example = workshop.root().resolve("terraform/examples/one-region");
            Files.writeString(example.resolve("mine.auto.tfvars"), """
                    subscription_id    = "00000000-0000-0000-0000-000000000000"
                    control_plane_name = "kv-eu-control"
                    image_id           = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/galleries/kv/images/kvstore/versions/1.0.0"
                    ssh_public_key     = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBdsCRBhYQcLzfV0dDKEe3hdCWFCYqMKCPQ2SYFBo9+7 admin"
                    database_password  = "0123456789abcdef0123456789abcdef"
                    admin_token        = "kva_0123456789abcdef"
                    join_token_secret  = "0123456789abcdef0123456789abcdef0123456789abcdef"
                    """);
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

    private static String costs(Path plan, Path... prices) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                        Stream.concat(Stream.of(Home.current().path().resolve("terraform/costs")), Stream.of(prices))
                                .map(Path::toString)
                                .toList())
                .redirectErrorStream(true)
                .redirectInput(plan.toFile());
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }
}
