package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The checks of vLLM's connector that need no vLLM; its tests with real engines are {@code pytest -m engine}. */
class VllmConnectorIT {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    @Test
    void isFormattedLintedAndTyped() throws Exception {
        PythonTools.of("kvstore-vllm", folder).check();
    }

    @Test
    void passesItsTestsThatNeedNoEngine() throws Exception {
        assertThat(PythonTools.of("kvstore-vllm", folder).run(Map.of(), "pytest", "-rs", "-p", "no:cacheprovider"))
                .contains(" passed");
    }
}
