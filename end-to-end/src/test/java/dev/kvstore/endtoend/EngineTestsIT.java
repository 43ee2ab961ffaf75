package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kvstore.testing.ClosedPort;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** {@code kv test --engines} where engines cannot be had. */
class EngineTestsIT {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    @Test
    void namesTheEnginesThatThereAre() throws Exception {
        Kv.KvResult result = Kv.run(folder, Map.of(), List.of("test", "--engines", "nonsense"));

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("no engine \"nonsense\"", "vllm");
    }

    @Test
    void skipsAnEngineWithASentenceWithoutAPackageIndex() throws Exception {
        assumeTrue(GoTool.isOnPath("python3"), "missing: python3, 3.10 or newer");
        Kv.KvResult result;
        try (ClosedPort closed = new ClosedPort()) {
            String index = "http://127.0.0.1:" + closed.number() + "/simple";
            Map<String, String> environment = Map.of("PIP_INDEX_URL", index, "PIP_CONFIG_FILE", "/dev/null");
            result = Kv.run(folder, environment, List.of("test", "--engines", "vllm=0.0.0"));
        }

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.err()).contains("skipped vllm 0.0.0: ");
        assertThat(result.out()).contains("Skipped", "vllm=0.0.0").doesNotContain("Testing");
    }

    @Test
    void readsFromAWheelWhatAnEngineAsksOfItsConnector() throws Exception {
        assumeTrue(GoTool.isOnPath("python3"), "missing: python3, 3.10 or newer");
        Kv.KvResult result = Kv.run(folder, Map.of(), List.of("test", "--engines", "--hooks", "lmcache=0.5.6"));

        assumeTrue(!result.err().contains("skipped lmcache"), "missing: a wheel of LMCache: " + result.err());
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out()).contains("| lmcache 0.5.6 | as we rely on them |");
    }
}
