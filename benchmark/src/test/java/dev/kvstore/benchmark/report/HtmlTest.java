package dev.kvstore.benchmark.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** {@link Html}, as far as it can be told without a browser. */
class HtmlTest {
    private final String html = Html.of(SampleRun.run());

    @Test
    void namesNothingOutsideOfItself() {
        String ours = html.replace(Assets.read(Assets.LIBRARY), "");

        assertThat(ours)
                .doesNotContain("http:", "https:", "<link rel=\"stylesheet\"", "src=", "@import", "url(")
                .hasSizeLessThan(html.length() - 100_000);
    }

    @Test
    void namesTheLicenceOfItsLibrary() {
        assertThat(html).contains("Chart.js v", "Released under the MIT License");
    }

    @Test
    void textStaysText() {
        assertThat(html)
                .doesNotContain("<script>window.taken")
                .contains(
                        "&lt;script&gt;window.taken = true&lt;/script&gt; &quot;quoted&quot; &#39;single&#39; &amp;",
                        "\u4e2d\u6587\ud83d\ude80");
    }

    @Test
    void itsFiguresAreInItAsTheyAre() throws Exception {
        JsonNode run = data("run");

        assertThat(run.at("/report/hostile").asText()).isEqualTo(SampleRun.HOSTILE);
        assertThat(run.at("/environment/machine/processors").asInt()).isEqualTo(2);
    }

    @Test
    void eachChartHasItsFiguresAndItsTable() throws Exception {
        JsonNode charts = data("charts");

        assertThat(charts).hasSize(6);
        assertThat(charts.at("/0/kind").asText()).isEqualTo("lines");
        assertThat(charts.at("/0/lines/0/points/7/x").asInt()).isEqualTo(200);
        assertThat(html.split("<details open>", -1)).hasSize(7);
    }

    @Test
    void columnsOfNumbersAreSetToTheRight() {
        assertThat(html)
                .contains("<th>operation</th><th class=\"number\">column 1</th>", "<td class=\"number\">1,235</td>");
    }

    @Test
    void aParagraphOfSeveralLinesKeepsItsColumns() {
        assertThat(html).contains("<pre>clients   rate\n     1    120\n    20  1,020</pre>");
    }

    private JsonNode data(String id) throws Exception {
        Matcher matcher = Pattern.compile(
                        "<script type=\"application/json\" id=\"" + id + "\">(.*?)</script>", Pattern.DOTALL)
                .matcher(html);
        assertThat(matcher.find()).isTrue();
        return new ObjectMapper().readTree(matcher.group(1));
    }
}
