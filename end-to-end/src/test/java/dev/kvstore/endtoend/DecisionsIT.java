package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Decisions have a status and a date, and the index says of each whether it still holds. */
class DecisionsIT {
    private static final Path ADR = Documents.ROOT.resolve("docs/adr");
    private static final String SUPERSEDED = "superseded by \\[ADR \\d+]\\(\\d{4}-[a-z0-9-]+\\.md\\)";
    private static final Pattern STATUS = Pattern.compile("(?m)^- Status: (accepted|" + SUPERSEDED + ")$");
    private static final Pattern DATE = Pattern.compile("(?m)^- Date: 20\\d\\d-\\d\\d-\\d\\d$");

    /** Number, file, title, whether it still holds, and how its figures are repeated. */
    private static final Pattern ROW = Pattern.compile(
            "(?m)^\\| \\[(\\d+)]\\(([^)]+)\\) \\| [^|]+ \\| (yes|partly: [^|]+|" + SUPERSEDED + ") \\| [^|]+ \\|$");

    private record IndexRow(int number, String file, String stillTrue) {}

    @Test
    void everyDecisionHasItsNumberAStatusAndADate() throws Exception {
        List<String> flaws = new ArrayList<>();
        for (Path decision : decisions()) {
            String text = Files.readString(decision);
            if (!STATUS.matcher(text).find() || !DATE.matcher(text).find()) {
                flaws.add(decision.getFileName() + ": has no line \"- Status: ...\" or no line \"- Date: ...\"");
            }
            if (!text.startsWith("# " + number(decision) + ". ")) {
                flaws.add(decision.getFileName() + ": begins with another number");
            }
        }

        assertThat(flaws).isEmpty();
    }

    @Test
    void theIndexHasEachDecisionOnceWithAnAnswer() throws Exception {
        assertThat(index())
                .extracting(row -> row.number() + " " + row.file())
                .containsExactlyInAnyOrderElementsOf(decisions().stream()
                        .map(decision -> number(decision) + " " + decision.getFileName())
                        .toList());
    }

    @Test
    void theIndexSaysWhatTheHeadersSay() throws Exception {
        List<String> flaws = new ArrayList<>();
        for (IndexRow row : index()) {
            String text = Files.readString(ADR.resolve(row.file()));
            String says = text.contains("\n- Status: superseded")
                    ? "superseded"
                    : text.contains("\n- Superseded in part") ? "partly" : "yes";
            if (!row.stillTrue().startsWith(says)) {
                flaws.add(row.file() + ": its header says \"" + says + "\", the index \"" + row.stillTrue() + "\"");
            }
        }

        assertThat(flaws).isEmpty();
    }

    private static List<Path> decisions() throws IOException {
        return Documents.markdown().stream()
                .filter(file -> file.startsWith(ADR) && !file.endsWith("README.md"))
                .toList();
    }

    private static int number(Path decision) {
        return Integer.parseInt(decision.getFileName().toString().substring(0, 4));
    }

    private static List<IndexRow> index() throws IOException {
        return ROW.matcher(Files.readString(ADR.resolve("README.md")))
                .results()
                .map(row -> new IndexRow(Integer.parseInt(row.group(1)), row.group(2), row.group(3)))
                .toList();
    }
}
