package dev.kvstore.benchmark.peers;

import static dev.kvstore.benchmark.report.Numbers.format;

import dev.kvstore.benchmark.measure.TextLines;

/** A report for people: a line per case, then the ratios. Plain text, 110 columns. */
final class PeersTable {
    private static final double MEGABYTE = 1e6;
    private static final double PERCENT = 100;

    private final TextLines text = new TextLines();
    private final PeersReport report;

    private PeersTable(PeersReport report) {
        this.report = report;
    }

    static String of(PeersReport report) {
        return new PeersTable(report).render();
    }

    private String render() {
        conditions();
        report.workingSets().forEach(this::cases);
        ratios();
        report.missing().forEach(missing -> text.line("MISSING %s", missing));
        if (report.interrupted()) {
            text.line("INTERRUPTED: what is above is what there was by then.");
        }
        report.flaws().forEach(flaw -> text.line("FAILED: %s", flaw));
        if (report.holds()) {
            text.line("Every block that was read or written was there, with every byte that it should have.");
        }
        return text.toString();
    }

    private void conditions() {
        PeersReport.PeersConditions conditions = report.conditions();
        text.line(
                "%s, %d processors for clients and servers together, Java %s, load before %.2f",
                conditions.system(), conditions.processors(), conditions.java(), conditions.loadAverage());
        text.line(
                "Warmed up for %.0f s, then %d interleaved rounds of %.0f s; GB are 10^9 bytes of payload.",
                conditions.warmUpSeconds(), conditions.rounds(), conditions.seconds());
        text.line("KV Store's blocks are read from DRAM; what it writes is durable in %s.", conditions.storage());
        conditions.versions().forEach((program, version) -> text.line("%s: %s", program, version));
        if (conditions.slowedMillis() > 0) {
            text.line("Every server was made to answer %d ms later.", conditions.slowedMillis());
        }
    }

    private void cases(PeersReport.BlockSet set) {
        text.line("");
        text.line(
                "Blocks of %,d bytes: %,d of them (%.0f MB) in turn; StreamingRead and raw TCP ask for %,d at a time",
                set.blockBytes(),
                set.blocks(),
                (double) set.blocks() * set.blockBytes() / MEGABYTE,
                set.blocksPerRequest());
        text.line(
                "%-24s %-14s %7s %9s %15s %7s   %s",
                "peer", "operation", "clients", "GB/s", "min-max", "noise", "CPU s/GB, client + server");
        report.cases().stream()
                .filter(one -> one.blockBytes() == set.blockBytes())
                .forEach(this::figures);
    }

    private void figures(CaseFigures one) {
        text.line(
                "%-24s %-14s %7d %9s %15s %7s   %s = %s + %s",
                one.peer().title(),
                one.operation(),
                one.clients(),
                rate(one.gbPerSecond().median()),
                rate(one.gbPerSecond().min()) + "-" + rate(one.gbPerSecond().max()),
                noise(one),
                rate(one.cpuSecondsPerGb().median()),
                rate(one.clientCpuSecondsPerGb()),
                rate(one.serverCpuSecondsPerGb()));
    }

    private static String noise(CaseFigures one) {
        return one.rounds() == 1 ? "-" : format("%.0f %%", one.noise() * PERCENT);
    }

    private void ratios() {
        text.line("");
        text.line("Ratios at %,d bytes, each at its best number of clients", Ratio.BLOCK_BYTES);
        for (Ratio ratio : Ratio.ALL) {
            Ratio.Value value = report.ratioFigures().get(ratio.key());
            if (value == null) {
                text.line("%-16s    -  %s (%s)", ratio.key(), ratio.text(), report.why(ratio));
            } else {
                text.line(
                        "%-16s %5.2f  %.2f-%.2f  %s; %d and %d clients",
                        ratio.key(),
                        value.value(),
                        value.low(),
                        value.high(),
                        ratio.text(),
                        value.clients(),
                        value.peerClients());
            }
        }
        text.line(
                "Noise is what the rounds tell, and no less than what they tell of the typical case: two runs agree if each");
        text.line("figure is within both noises of the other.");
        text.line("");
    }

    /** Three digits that mean something, whether a gigabyte or a thousandth of one. */
    static String rate(double value) {
        return format(value < 0.1 ? "%.4f" : value < 10 ? "%.2f" : "%.1f", value);
    }
}
