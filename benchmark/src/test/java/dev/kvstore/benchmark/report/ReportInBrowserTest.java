package dev.kvstore.benchmark.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The page as readers have it, in a real Chromium. Pictures of it are in {@code target/report-pages} then, for those
 * who change it.
 */
@Tag("slow")
class ReportInBrowserTest {
    private static final Path PICTURES = Path.of("target", "report-pages");
    private static final int CHARTS = 6;
    private static final String DARK = "rgb(21, 24, 27)";
    private static final String LIGHT = "rgb(252, 252, 250)";

    @TempDir
    static Path folder;

    private static @Nullable Chromium chromium;
    private static Path page = Path.of("");

    @BeforeAll
    static void start() throws Exception {
        page = Files.writeString(folder.resolve("report.html"), Html.of(SampleRun.run()));
        Optional<Path> executable = Chromium.executable();
        if (executable.isPresent()) {
            chromium = Chromium.start(executable.get(), folder);
        }
    }

    @AfterAll
    static void stop() {
        if (chromium != null) {
            chromium.close();
        }
    }

    @BeforeEach
    void needsABrowser() {
        assumeTrue(
                chromium != null,
                "missing: Chromium on the PATH (Debian's package chromium), or its path in the variable CHROMIUM");
    }

    @ParameterizedTest
    @ValueSource(ints = {320, 360, 1280})
    void everyChartIsDrawnWithoutAComplaint(int width) throws Exception {
        Tab tab = tab(width).read(page);
        tab.picture(PICTURES.resolve(width + ".png"));

        assertThat(tab.complaints()).isEmpty();
        assertThat(tab.count(".chart .plot svg")).isEqualTo(CHARTS);
        assertThat(tab.evaluate(
                                "[...document.querySelectorAll('.plot > svg')].every(svg => svg.querySelector('.line, .bar-shape'))")
                        .asBoolean())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {320, 360, 768, 1280})
    void thePageNeverScrollsSideways(int width) throws Exception {
        Tab tab = tab(width).read(page);

        assertThat(tab.evaluate("document.documentElement.scrollWidth").asInt()).isLessThanOrEqualTo(width);
    }

    @ParameterizedTest
    @ValueSource(ints = {320, 360, 1280})
    void noTextOfAChartIsCutOff(int width) throws Exception {
        Tab tab = tab(width).read(page);

        assertThat(tab.evaluate("""
                        [...document.querySelectorAll('.plot > svg')].flatMap(svg => {
                          const all = svg.getBoundingClientRect();
                          return [...svg.querySelectorAll('text')].filter(text => {
                            const box = text.getBoundingClientRect();
                            return box.left < all.left - 1 || box.right > all.right + 1 || box.top < all.top - 1 || box.bottom > all.bottom + 1;
                          }).map(text => text.textContent);
                        })""")).isEmpty();
    }

    @Test
    void wideTablesScrollOnTheirOwn() throws Exception {
        Tab tab = tab(360).read(page);

        assertThat(tab.evaluate(
                                "(one => one.scrollWidth > one.clientWidth)(document.querySelector('figure.table .scroll'))")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void itIsDarkWhereTheSystemIs() throws Exception {
        Tab tab = tab(1280).dark(true).read(page);
        tab.picture(PICTURES.resolve("dark.png"));

        assertThat(background(tab)).isEqualTo(DARK);
        assertThat(tab.evaluate("getComputedStyle(document.querySelector('.line.s0')).stroke")
                        .asText())
                .isEqualTo("rgb(65, 99, 214)");
    }

    @Test
    void itsReaderMayChooseTheOtherColours() throws Exception {
        Tab tab = tab(1280).read(page);
        assertThat(background(tab)).isEqualTo(LIGHT);

        tab.click("#theme");
        assertThat(background(tab)).isEqualTo(DARK);

        tab.click("#theme");
        assertThat(background(tab)).isEqualTo(LIGHT);
    }

    @Test
    void aSeriesCanBeHiddenAndShownAgain() throws Exception {
        Tab tab = tab(1280).read(page);

        tab.click("#chart-0 .legend button");
        assertThat(tab.count("#chart-0 .line.s0")).as("in the legend alone").isEqualTo(1);
        assertThat(tab.count("#chart-0 .plot .line")).isEqualTo(2);
        assertThat(tab.count("#chart-0 .legend button[aria-pressed=false]")).isEqualTo(1);

        tab.click("#chart-0 .legend button");
        assertThat(tab.count("#chart-0 .plot .line")).isEqualTo(3);
    }

    @Test
    void aChartWithEverySeriesHiddenSaysSo() throws Exception {
        Tab tab = tab(1280).read(page);

        tab.evaluate("document.querySelectorAll('#chart-4 .legend button').forEach(button => button.click())");

        assertThat(tab.evaluate("document.querySelector('#chart-4 .plot').textContent")
                        .asText())
                .isEqualTo("Nothing to draw.");
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void pointingTellsTheExactValueAsTheTableHasIt() throws Exception {
        Tab tab = tab(1280).read(page);

        tab.point("#chart-0 .plot .marker.s1");

        assertThat(tab.text("#chart-0 .tip")).contains("clients 1", "read", "4\u00a0ms (3.2\u20135.2)");
        assertThat(tab.evaluate("document.querySelector('#chart-0 tbody td:nth-child(3)').textContent")
                        .asText())
                .isEqualTo("4 (3.2\u20135.2)");
    }

    @Test
    void aPointIsNamedByItsLabel() throws Exception {
        Tab tab = tab(1280).read(page);

        tab.point("#chart-2 .marker");

        assertThat(tab.text("#chart-2 .tip")).contains("throughput 139.7\u00a0MB/s", "read, 1 clients");
    }

    @ParameterizedTest
    @ValueSource(ints = {360, 1280})
    void whatPointingTellsStaysBesideTheChart(int width) throws Exception {
        Tab tab = tab(width).read(page);

        for (int chart = 0; chart < CHARTS; chart++) {
            tab.point("#chart-" + chart + " .plot :is(.marker, .bar-shape)");

            JsonNode tip = tab.evaluate("(box => [box.left, box.right, box.height])(document.querySelector('#chart-"
                    + chart + " .tip').getBoundingClientRect())");
            assertThat(tip.get(0).asDouble()).isGreaterThanOrEqualTo(0);
            assertThat(tip.get(1).asDouble()).isLessThanOrEqualTo(width);
            assertThat(tip.get(2).asDouble()).isBetween(20.0, 300.0);
        }
        assertThat(tab.evaluate("document.documentElement.scrollWidth").asInt()).isLessThanOrEqualTo(width);
    }

    @Test
    void aTapTellsTheSameAndStays() throws Exception {
        Tab tab = tab(360).read(page);

        tab.tap("#chart-4 .plot .bar-shape");

        assertThat(tab.text("#chart-4 .tip"))
                .contains("512 B", "KV Store, StreamingRead", "70\u00a0MB/s (65.1\u201373.5)");
    }

    @Test
    void theKeyboardReachesEveryValue() throws Exception {
        Tab tab = tab(1280).read(page);
        tab.evaluate("document.querySelector('#chart-0 .plot svg').focus()");
        String first = tab.text("#chart-0 .tip");

        tab.press("ArrowRight");
        String second = tab.text("#chart-0 .tip");
        tab.press("ArrowDown");
        String below = tab.text("#chart-0 .tip .active");
        tab.press("Escape");

        assertThat(first).contains("clients 1");
        assertThat(second).contains("clients 2");
        assertThat(below).contains("read");
        assertThat(tab.text("#chart-0 .tip")).isEmpty();
    }

    @Test
    void equalRatiosAreEqualDistancesOnALogarithmicAxis() throws Exception {
        Tab tab = tab(1280).read(page);

        JsonNode middles = tab.evaluate("[...document.querySelectorAll('#chart-0 .plot .marker.s0')]"
                + ".map(marker => marker.getBBox()).map(box => box.x + box.width / 2)");

        assertThat(middles).hasSize(8);
        double one = middles.get(0).asDouble();
        double ten = middles.get(3).asDouble();
        double hundred = middles.get(6).asDouble();
        assertThat(hundred - ten).isCloseTo(ten - one, within(0.1));
    }

    @Test
    void theTablesAreThereWithoutJavaScript() throws Exception {
        Tab tab = tab(360).withoutScripts().read(page);

        assertThat(tab.count(".plot svg")).isZero();
        assertThat(tab.evaluate(
                                "[...document.querySelectorAll('table')].every(table => table.getBoundingClientRect().height > 40)")
                        .asBoolean())
                .isTrue();
        assertThat(tab.count("table")).isEqualTo(CHARTS + 1);
        assertThat(tab.evaluate("getComputedStyle(document.querySelector('.tools')).display")
                        .asText())
                .isEqualTo("none");
    }

    @Test
    void aTableIsUnfoldedUnderItsChart() throws Exception {
        Tab tab = tab(1280).read(page);
        assertThat(tab.evaluate("document.querySelector('#chart-0 details').open")
                        .asBoolean())
                .isFalse();

        tab.click("#chart-0 summary");

        assertThat(tab.evaluate("document.querySelector('#chart-0 table').getBoundingClientRect().height > 40")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void whatAPageSaysIsNeverRun() throws Exception {
        Tab tab = tab(1280).read(page);

        assertThat(tab.evaluate("window.taken === undefined").asBoolean()).isTrue();
        assertThat(tab.text("h1")).isEqualTo("Load sweep " + SampleRun.HOSTILE);
        assertThat(tab.evaluate("document.querySelector('#chart-5 .legend button:nth-child(2)').textContent")
                        .asText())
                .isEqualTo(SampleRun.HOSTILE);
    }

    @Test
    void theFiguresOfAChartAreToBeHadAsAFile() throws Exception {
        Tab tab = tab(1280).read(page);
        tab.evaluate("""
                window.kept = new Promise(keep => {
                  const make = URL.createObjectURL;
                  URL.createObjectURL = blob => { blob.text().then(keep); return make.call(URL, blob); };
                });
                HTMLAnchorElement.prototype.click = function () { window.named = this.download; };
                document.querySelector('#chart-0 > button').click();""");

        JsonNode file = new ObjectMapper().readTree(tab.evaluate("window.kept").asText());
        assertThat(file.at("/lines/2/name").asText()).isEqualTo("write");
        assertThat(file.at("/lines/0/points")).hasSize(8);
        assertThat(tab.evaluate("window.named").asText()).isEqualTo("latency-against-clients.json");
    }

    @Test
    void onPaperItIsLightAndWithoutItsTools() throws Exception {
        Tab tab = tab(794).onPaper().read(page);

        assertThat(background(tab)).isEqualTo(LIGHT);
        assertThat(tab.evaluate("getComputedStyle(document.querySelector('.tools')).display")
                        .asText())
                .isEqualTo("none");
        assertThat(tab.count(".plot svg .line")).isPositive();
    }

    @Test
    void aRunWithoutFiguresIsAPageToo() throws Exception {
        EndedRun run = new EndedRun(
                new ReportPage("Nothing", "", List.of()),
                false,
                SampleRun.environment(2),
                JsonNodeFactory.instance.objectNode());
        Path empty = Files.writeString(folder.resolve("empty.html"), Html.of(run));

        Tab tab = tab(360).read(empty);

        assertThat(tab.complaints()).isEmpty();
        assertThat(tab.count(".warning")).isEqualTo(2);
    }

    private static String background(Tab tab) {
        return tab.evaluate("getComputedStyle(document.body).backgroundColor").asText();
    }

    private static Tab tab(int width) {
        return Objects.requireNonNull(chromium).open(width, 800);
    }
}
