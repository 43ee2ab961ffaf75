package dev.kvstore.benchmark.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@link Markdown}. */
class MarkdownTest {
    @Test
    void hasTitleSummarySectionsAndHowItWasMeasured() {
        String text = of(new Page("Peers", "Read beats write.", List.of(section("One paragraph.\n\nAnother."))));

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
        assertThat(of(new Page("T", "", List.of(section("clients  rate\n      1   ```\n")))))
                .contains("\n````\nclients  rate\n      1   ```\n````\n");
    }

    @Test
    void aChartIsATable() {
        assertThat(of(new Page("T", "", List.of(new Page.Section("S", "", List.of(SampleRun.latency()))))))
                .contains(
                        "*Latency against clients: p99 of an operation (ms)*\n\n| clients | lookup | read | write |\n| --: | --: |");
    }

    @Test
    void textIsNeverTakenAsMarkdown() {
        String text = of(new Page(
                "a_b* <b>", "- no list", List.of(section("1. none\n\n# nor heading\n\n[a](b) `c` & | ~ $ \\"))));

        assertThat(text)
                .startsWith("# a\\_b\\* \\<b\\>\n\n\\- no list\n")
                .contains("\n\\1. none\n", "\n\\# nor heading\n", "\\[a\\](b) \\`c\\` \\& \\| \\~ \\$ \\\\");
    }

    @Test
    void aCellIsOneLine() {
        Figure.Table table = new Figure.Table("", List.of("a\nb"), List.of(List.of("c | d\r\ne")));

        assertThat(of(new Page("T", "", List.of(new Page.Section("S", "", List.of(table))))))
                .contains("| a b |\n| --- |\n| c \\| d e |\n");
    }

    @Test
    void whoReadsItIsWarnedOfNoiseAndOfWhatDidNotHold() {
        Run run = new Run(
                new Page("T", "S", List.of()),
                false,
                SampleRun.environment(1.9),
                JsonNodeFactory.instance.objectNode());

        assertThat(Markdown.of(run)).contains("**Not all that this run promises held", "**The machine was not quiet: ");
    }

    private static String of(Page page) {
        return Markdown.of(new Run(page, true, SampleRun.environment(0), JsonNodeFactory.instance.objectNode()));
    }

    private static Page.Section section(String text) {
        return new Page.Section("Section", text, List.of());
    }
}
