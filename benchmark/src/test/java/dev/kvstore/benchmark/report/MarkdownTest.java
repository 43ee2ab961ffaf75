package dev.kvstore.benchmark.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@link Markdown}. */
class MarkdownTest {
    @Test
    void hasTitleSummarySectionsAndHowItWasMeasured() {
        String text = of(new ReportPage("Peers", "Read beats write.", List.of(section("One paragraph.\n\nAnother."))));

        assertThat(text).startsWith("""
                # Peers

                Read beats write.

                ## Section

                One paragraph.

                Another.

                ## How this was measured

                |  |  |
                | --- | --- |
                | Command | kv bench sweep --quick --report .../runs |
                """);
    }

    @Test
    void aParagraphOfSeveralLinesKeepsItsColumns() {
        assertThat(of(new ReportPage("T", "", List.of(section("clients  rate\n      1   ```\n")))))
                .contains("\n````\nclients  rate\n      1   ```\n````\n");
    }

    @Test
    void aChartIsATable() {
        assertThat(of(new ReportPage("T", "", List.of(new ReportPage.Section("S", "", List.of(SampleRun.latency()))))))
                .contains(
                        "*Latency against clients: p99 of an operation (ms)*\n\n| clients | lookup | read | write |\n| --: | --: |");
    }

    @Test
    void textIsNeverTakenAsMarkdown() {
        String text = of(new ReportPage(
                "a_b* <b>", "- no list", List.of(section("1. none\n\n# nor heading\n\n[a](b) `c` & | ~ $ \\"))));

        assertThat(text)
                .startsWith("# a\\_b\\* \\<b\\>\n\n\\- no list\n")
                .contains("\n\\1. none\n", "\n\\# nor heading\n", "\\[a\\](b) \\`c\\` \\& \\| \\~ \\$ \\\\");
    }

    @Test
    void aCellIsOneLine() {
        Figure.Table table = new Figure.Table("", List.of("a\nb"), List.of(List.of("c | d\r\ne")));

        assertThat(of(new ReportPage("T", "", List.of(new ReportPage.Section("S", "", List.of(table))))))
                .contains("| a b |\n| --- |\n| c \\| d e |\n");
    }

    @Test
    void whoReadsItIsWarnedOfNoiseAndOfWhatDidNotHold() {
        EndedRun run = new EndedRun(
                new ReportPage("T", "S", List.of()),
                false,
                SampleRun.environment(1.9),
                JsonNodeFactory.instance.objectNode());

        assertThat(Markdown.of(run)).contains("**Not all that this run promises held", "**The machine was not quiet: ");
    }

    private static String of(ReportPage page) {
        return Markdown.of(new EndedRun(page, true, SampleRun.environment(0), JsonNodeFactory.instance.objectNode()));
    }

    private static ReportPage.Section section(String text) {
        return new ReportPage.Section("Section", text, List.of());
    }
}
