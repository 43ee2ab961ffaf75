package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackControlPlane;
import dev.kvstore.launcher.stack.StackLayout;
import dev.kvstore.launcher.stack.StorageKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The Python client and its agent under load, while a data plane, then its cluster, then its region are killed. */
class PythonFaultsIT {
    private static final StackLayout LAYOUT = new StackLayout(
            List.of(
                    new StackLayout.Region(
                            "near",
                            List.of(new StackLayout.Cluster("near-a", 2), new StackLayout.Cluster("near-b", 1))),
                    new StackLayout.Region("far", List.of(new StackLayout.Cluster("far-a", 1)))),
            Duration.ofMillis(20));

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    @Test
    void noCallFailsWhenADataPlaneAClusterAndARegionAreLost() throws Exception {
        PythonTools tools = PythonTools.of("kvstore-client", folder);
        try (LocalStack stack = Stacks.startFast(folder.resolve("stack"), StorageKind.FILESYSTEM, LAYOUT)) {
            StackControlPlane control = Objects.requireNonNull(stack.controlPlane());
            List<Long> near = stack.dataPlanes("near").stream()
                    .map(dataPlane -> dataPlane.process().pid())
                    .toList();
            Path file = folder.resolve("faults.json");
            new ObjectMapper()
                    .writeValue(
                            file.toFile(),
                            Map.of(
                                    "controlPlane",
                                    control.address(),
                                    "region",
                                    "near",
                                    "resourceName",
                                    LocalStack.RESOURCE,
                                    "apiKey",
                                    stack.key().text(),
                                    "faults",
                                    near.stream().map(List::of).toList()));

            String said = tools.run(
                    Map.of("KVSTORE_TEST_FAULTS", file.toString()),
                    "pytest",
                    "-rs",
                    "-p",
                    "no:cacheprovider",
                    "tests/test_faults.py");

            assertThat(said).contains("1 passed").doesNotContain("skipped");
        }
    }
}
