package dev.kvstore.benchmark.kvcache;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The reasons for which a run is no good one. */
class KvCacheReportTest {
    private static KvCacheReport report(long failed, @Nullable String first, boolean honest) {
        ObjectNode results = JsonNodeFactory.instance.objectNode().put("requests_completed", 10);
        ObjectNode own = results.putObject("summary").putObject("kvstore").put("first_failure", first);
        own.putObject("requests").putObject("batch").put("failed", failed);
        return KvCacheReport.of(results, honest);
    }

    @Test
    void aGoodRunHasNone() {
        assertThat(report(0, null, true).flaws()).isEmpty();
    }

    @Test
    void requestsThatFailedAreCountedAndTheFirstCauseIsTold() {
        assertThat(report(354, "there is no room left for entry 7", true).flaws())
                .containsExactly("354 requests failed.", "The first failure: there is no room left for entry 7");
    }

    @Test
    void aWorkersEndIsToldAsTheOriginalCountsToo() {
        assertThat(report(0, "java.lang.OutOfMemoryError: Java heap space", false)
                        .flaws())
                .containsExactly("The first failure: java.lang.OutOfMemoryError: Java heap space");
    }
}
