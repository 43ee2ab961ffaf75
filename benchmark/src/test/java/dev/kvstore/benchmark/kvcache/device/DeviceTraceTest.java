package dev.kvstore.benchmark.kvcache.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.benchmark.kvcache.device.DeviceTrace.HistogramBucket;
import dev.kvstore.benchmark.kvcache.device.DeviceTrace.HistogramRow;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Histograms, and what is made of them. */
class DeviceTraceTest {
    private static final DeviceTrace TRACE = new DeviceTrace(Map.of(
            "fsync_us", List.of(new HistogramBucket(512, 1024, 1)),
            "d2c_read_us",
                    List.of(
                            new HistogramBucket(64, 128, 94),
                            new HistogramBucket(128, 256, 4),
                            new HistogramBucket(256, 512, 2))));

    @Test
    void aPercentileIsTheBeginningOfItsBucket() {
        assertThat(TRACE.rows().getFirst()).isEqualTo(new HistogramRow("D2C Read (us)", 100, 64, 128, 256, 64, 512));
    }

    @Test
    void linesAreInTheOrderOfTheOriginal() {
        assertThat(TRACE.rows()).extracting(HistogramRow::label).containsExactly("D2C Read (us)", "fsync (us)");
    }

    @Test
    void aHistogramWithoutValuesHasNoLine() {
        assertThat(new DeviceTrace(Map.of("fsync_us", List.of(new HistogramBucket(0, 1, 0)))).rows())
                .isEmpty();
    }

    @Test
    void jsonHasTheKeysOfTheOriginal() {
        assertThat(TRACE.json().path("fsync_us")).hasToString("""
                {"buckets":[{"range_us":[512,1024],"count":1}],"raw":["[512, 1024) 1"]}""");
    }

    @Test
    void jsonIsReadBack() {
        assertThat(DeviceTrace.of(TRACE.json())).isEqualTo(TRACE);
    }

    @Test
    void aJobHasTheSizesTheMixAndTheDepthThatWereSeen() {
        DeviceTrace trace = new DeviceTrace(Map.of(
                "bssplit_read_kb",
                        List.of(
                                new HistogramBucket(4, 8, 1),
                                new HistogramBucket(512, 1024, 1),
                                new HistogramBucket(1024, 2048, 1)),
                "bssplit_write_kb", List.of(new HistogramBucket(1024, 2048, 10)),
                // 100 requests of 150 ms in 5 s are three at a time.
                "d2c_read_us", List.of(new HistogramBucket(100_000, 200_000, 100))));

        assertThat(FioJob.of(trace, 9, 1, 5).orElseThrow())
                .contains("rwmixread=90\n", "bssplit=4k/33:512k/33:1m/34,1m/100\n", "iodepth=3\n");
    }

    @Test
    void withoutWritesThereIsNoJob() {
        assertThat(FioJob.of(TRACE, 9, 1, 5)).isEmpty();
    }
}
