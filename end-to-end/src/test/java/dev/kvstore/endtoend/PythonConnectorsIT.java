package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The checks of engines' connectors that need no engine; their tests with real ones are {@code pytest -m engine}. */
class PythonConnectorsIT {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"kvstore-vllm", "kvstore-lmcache", "kvstore-sglang"})
    void isFormattedLintedAndTyped(String connector) throws Exception {
        PythonTools.of(connector, folder).check();
    }

    @ParameterizedTest
    @ValueSource(strings = {"kvstore-vllm", "kvstore-lmcache", "kvstore-sglang"})
    void passesItsTestsThatNeedNoEngine(String connector) throws Exception {
        assertThat(PythonTools.of(connector, folder).run(Map.of(), "pytest", "-rs", "-p", "no:cacheprovider"))
                .contains(" passed");
    }
}
