package dev.kvstore.benchmark.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.kvstore.benchmark.report.Figure.Axis;
import dev.kvstore.benchmark.report.Figure.Bar;
import dev.kvstore.benchmark.report.Figure.FigureLine;
import dev.kvstore.benchmark.report.Figure.FigurePoint;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** A run that has a figure of each kind, with made-up numbers and with text that tries to be more than text. */
final class SampleRun {
    static final String HOSTILE =
            "<script>window.taken = true</script> \"quoted\" 'single' & </script><!-- \u00fc\u4e2d\u6587\ud83d\ude80";

    private static final double[] CLIENTS = {1, 2, 5, 10, 20, 50, 100, 200};
    private static final List<String> PEERS = List.of(
            "KV Store, StreamingRead", "Redis, its own client", "Redis, Lettuce", "nginx, wrk", "grpc-java", "raw TCP");

    private SampleRun() {}

    static EndedRun run() {
        return new EndedRun(
                page(),
                true,
                environment(0.1),
                JsonNodeFactory.instance.objectNode().put("hostile", HOSTILE));
    }

    static RunEnvironment environment(double loadBefore) {
        return new RunEnvironment(
                "kv bench sweep --quick --report .../runs",
                "2026-11-22T07:00:00Z",
                "2026-11-22T07:01:30Z",
                90,
                "KV Store 0.1.0",
                "6bf20e6f5342",
                "25.0.3, Vendor",
                new MachineFacts("Linux 6.1", "amd64", "AMD EPYC", 2, 24L << 30),
                Noise.of(loadBefore, 1.5, 0, 2));
    }

    static ReportPage page() {
        return new ReportPage(
                "Load sweep " + HOSTILE,
                "The knee is at 20 clients: 1.02 GB/s with a p99 of 48 ms. Beyond it throughput stays flat within 4 %. "
                        + HOSTILE,
                List.of(
                        new ReportPage.Section(
                                "Against concurrency",
                                "One iteration is seven lookups, six reads and three writes.\n\nclients   rate\n     1    120\n    20  1,020",
                                List.of(latency(), throughput(), tradeOff(), hitRatio())),
                        new ReportPage.Section("Peers " + HOSTILE, HOSTILE, List.of(peers(), ratios())),
                        new ReportPage.Section("Everything", "", List.of(table()))));
    }

    static Figure.Lines latency() {
        return new Figure.Lines(
                "Latency against clients",
                new Axis("clients", "", true),
                new Axis("p99 of an operation", "ms", true),
                List.of(line("lookup", 0.6, 1.1), line("read", 4, 3.1), line("write", 18, 4.2)));
    }

    private static Figure.Lines throughput() {
        return new Figure.Lines(
                "Throughput against clients, one endpoint and both",
                new Axis("clients", "", false),
                new Axis("throughput", "tokens/s", false),
                List.of(
                        rising("one process", 92_000),
                        rising("both processes", 160_000),
                        rising("a process with a name that is too long for a line on a phone", 61_000)));
    }

    private static Figure.Lines tradeOff() {
        List<FigurePoint> points = new ArrayList<>();
        for (double clients : CLIENTS) {
            double rate = 1_020 * clients / (clients + 6.3);
            points.add(new FigurePoint(
                    rate, 5 + clients * 1.3, 5 + clients, 5 + clients * 1.9, (int) clients + " clients"));
        }
        return new Figure.Lines(
                "Latency bought with throughput",
                new Axis("throughput", "MB/s", false),
                new Axis("p99", "ms", true),
                List.of(new FigureLine("read", points)));
    }

    private static Figure.Lines hitRatio() {
        List<FigureLine> lines = IntStream.range(0, 10)
                .mapToObj(policy -> new FigureLine(
                        "policy " + (policy + 1),
                        IntStream.rangeClosed(1, 30)
                                .mapToObj(i -> {
                                    double y = (0.02 + 0.033 * policy) * Math.log10(1 + i * (2 + policy));
                                    return new FigurePoint(i * 1_000, y, y * 0.95, y * 1.04);
                                })
                                .toList()))
                .toList();
        return new Figure.Lines(
                "Hit ratio against capacity",
                new Axis("capacity", "blocks", false),
                new Axis("hit ratio", "", false),
                lines);
    }

    static Figure.Bars peers() {
        List<Bar> bars = new ArrayList<>();
        List<String> sizes = List.of("512 B", "1.2 MB", "16 MiB");
        for (int size = 0; size < sizes.size(); size++) {
            for (int peer = 0; peer < PEERS.size(); peer++) {
                double value = (size * 900 + 40.0) * (1 + 0.3 * Math.sin(peer * 2 + size)) + 30;
                bars.add(new Bar(sizes.get(size), PEERS.get(peer), value, value * 0.93, value * 1.05));
            }
        }
        return new Figure.Bars("Reads from memory, 8 clients", "MB/s", bars);
    }

    private static Figure.Bars ratios() {
        return new Figure.Bars(
                "Against KV Store",
                "times",
                List.of(
                        new Bar("", "Redis, its own client", 1.2, 1.1, 1.3),
                        new Bar("", HOSTILE, 0.8, 0.8, 0.8),
                        new Bar("", "not measured", Double.NaN, Double.NaN, Double.NaN)));
    }

    private static Figure.Table table() {
        List<String> columns = IntStream.range(0, 14)
                .mapToObj(i -> i == 0 ? "operation" : "column " + i)
                .toList();
        List<List<String>> rows = List.of(row("lookup", 14), row("read " + HOSTILE, 14), row("write", 14));
        return new Figure.Table("Medians of the rounds " + HOSTILE, columns, rows);
    }

    private static List<String> row(String name, int width) {
        return IntStream.range(0, width)
                .mapToObj(i -> i == 0 ? name : Numbers.text(i * 1_234.5))
                .toList();
    }

    private static FigureLine line(String name, double first, double growth) {
        return new FigureLine(
                name,
                DoubleStream.of(CLIENTS)
                        .mapToObj(clients -> {
                            double y = first * Math.pow(clients, 0.3 + growth / 10);
                            return new FigurePoint(clients, y, y * 0.8, y * 1.3);
                        })
                        .toList());
    }

    private static FigureLine rising(String name, double most) {
        return new FigureLine(
                name,
                DoubleStream.of(CLIENTS)
                        .mapToObj(clients -> {
                            double y = most * clients / (clients + 4);
                            return new FigurePoint(clients, y, y * 0.95, y * 1.03);
                        })
                        .toList());
    }
}
