package dev.kvstore.testing.run;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The table of all modules, with a line for each and one for all of them. */
record CoverageReport(Coverage coverage, Path root) {
    /**
     * Writes the report of each module, and the table to {@code modules.txt} and to {@code out}.
     *
     * @param modules folders below the checkout
     * @throws IOException if a report cannot be made
     */
    void write(List<String> modules, PrintStream out) throws IOException, InterruptedException {
        CoveredCode all = CoveredCode.NONE;
        List<String> table = new ArrayList<>();
        for (String module : modules) {
            CoveredCode code = coverage.report(root.resolve(module));
            if (!code.equals(CoveredCode.NONE)) {
                table.add(line(module, code));
                all = all.plus(code);
            }
        }
        table.add(line("all", all));
        Files.write(coverage.folder().resolve("modules.txt"), table);
        out.println();
        out.println("Covered by these tests, without the processes that they start:");
        table.forEach(line -> out.println("  " + line));
        out.println("The lines themselves are in " + root.relativize(coverage.folder()) + "/MODULE/index.html.");
    }

    private static String line(String name, CoveredCode code) {
        return String.format("%-16s %s", name, code.columns());
    }
}
