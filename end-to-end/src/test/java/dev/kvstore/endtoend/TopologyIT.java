package dev.kvstore.endtoend;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The tables of docs/operations/topology.md are what {@code terraform/topology} prints of plans of one region and of
 * two. With the system property {@code docs.write} they are written again.
 */
class TopologyIT {
    private static final String PAGE = "docs/operations/topology.md";
    private static final String END = "<!-- End of what is printed. -->\n";

    @TempDir
    Path folder;

    @Test
    void thePageHasWhatTheModulesMakeForOneRegion() throws Exception {
        requirePrinted("one-region", PlannedExample.ONE_REGION, "one region");
    }

    @Test
    void thePageHasWhatTheModulesMakeForTwoRegions() throws Exception {
        requirePrinted("five-regions", PlannedExample.TWO_REGIONS, "two regions");
    }

    private void requirePrinted(String example, String variables, String what) throws Exception {
        PlannedExample.requirePython();
        Path plan = Files.writeString(folder.resolve("plan.json"), PlannedExample.json(example, variables));

        PlannedExample.requireOnPage(
                PAGE,
                "<!-- Printed by terraform/topology of " + what + ": TopologyIT compares it. -->\n",
                PlannedExample.printed("topology", plan).stripTrailing() + "\n",
                END);
    }
}
