package dev.kvstore.testing.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The amount of code, and the amount that tests covered.
 *
 * @param lines lines with code
 * @param coveredLines lines of which at least one instruction ran
 * @param branches ways out of conditions
 * @param coveredBranches ways out that tests took
 */
record CoveredCode(long lines, long coveredLines, long branches, long coveredBranches) {
    static final CoveredCode NONE = new CoveredCode(0, 0, 0, 0);

    /**
     * Adds up the classes of a report.
     *
     * @throws IOException if the file cannot be read
     */
    static CoveredCode read(Path csv) throws IOException {
        List<String> rows = Files.readAllLines(csv);
        List<String> columns = Arrays.asList(rows.getFirst().split(","));
        int missedBranches = columns.indexOf("BRANCH_MISSED");
        int coveredBranches = columns.indexOf("BRANCH_COVERED");
        int missedLines = columns.indexOf("LINE_MISSED");
        int coveredLines = columns.indexOf("LINE_COVERED");
        return rows.stream()
                .skip(1)
                .map(row -> row.split(","))
                .map(row -> new CoveredCode(
                        Long.parseLong(row[missedLines]) + Long.parseLong(row[coveredLines]),
                        Long.parseLong(row[coveredLines]),
                        Long.parseLong(row[missedBranches]) + Long.parseLong(row[coveredBranches]),
                        Long.parseLong(row[coveredBranches])))
                .reduce(NONE, CoveredCode::plus);
    }

    CoveredCode plus(CoveredCode other) {
        return new CoveredCode(
                lines + other.lines,
                coveredLines + other.coveredLines,
                branches + other.branches,
                coveredBranches + other.coveredBranches);
    }

    /** A line of the table of all modules, without the module's name. */
    String columns() {
        return String.format(
                "%6s of %,7d lines  %6s of %,7d branches",
                percent(coveredLines, lines), lines, percent(coveredBranches, branches), branches);
    }

    private static String percent(long part, long whole) {
        return whole == 0 ? "-" : String.format("%.1f %%", 100.0 * part / whole);
    }
}
