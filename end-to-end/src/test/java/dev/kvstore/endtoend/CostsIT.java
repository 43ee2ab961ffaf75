package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
        PlannedExample.requirePython();
        String plan = PlannedExample.json("one-region", PlannedExample.ONE_REGION);

        String printed = costs(Files.writeString(folder.resolve("plan.json"), plan));

        PlannedExample.requireOnPage("docs/operations/azure-costs.md", BEGIN, printed, END);
    }

    @Test
    void whatHasNoPriceIsNotInTheSum() throws Exception {
        PlannedExample.requirePython();
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

    private static String costs(Path plan, Path... prices) throws IOException, InterruptedException {
        return PlannedExample.printed(
                "costs", plan, Stream.of(prices).map(Path::toString).toArray(String[]::new));
    }
}
