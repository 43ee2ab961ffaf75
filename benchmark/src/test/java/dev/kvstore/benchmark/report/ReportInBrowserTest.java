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
    private static final String DARK_SERIES = "rgb(65, 99, 214)";
    private static final String LIGHT_SERIES = "rgb(24, 89, 194)";
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
        assertThat(tab.count(".chart .plot canvas")).isEqualTo(CHARTS);
        assertThat(tab.evaluate("""
                        [...document.querySelectorAll('.plot canvas')].every(canvas =>
                          canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some(part => part))""").asBoolean()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {320, 360, 768, 1280})
    void thePageNeverScrollsSideways(int width) throws Exception {
        Tab tab = tab(width).read(page);

        assertThat(tab.evaluate("document.documentElement.scrollWidth").asInt()).isLessThanOrEqualTo(width);
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
        assertThat(firstColour(tab)).isEqualTo(DARK_SERIES);
    }

    @Test
    void itsReaderMayChooseTheOtherColours() throws Exception {
        Tab tab = tab(1280).read(page);
        assertThat(background(tab)).isEqualTo(LIGHT);

        tab.click("#theme");
        assertThat(background(tab)).isEqualTo(DARK);
        assertThat(firstColour(tab)).isEqualTo(DARK_SERIES);

        tab.click("#theme");
        assertThat(background(tab)).isEqualTo(LIGHT);
    }

    @Test
    void aSeriesCanBeHiddenAndShownAgain() throws Exception {
        Tab tab = tab(1280).read(page);

        tab.click("#chart-0 .legend button");
        assertThat(tab.evaluate(chart(0) + ".getVisibleDatasetCount()").asInt()).isEqualTo(2);
        assertThat(tab.count("#chart-0 .legend button[aria-pressed=false]")).isEqualTo(1);

        tab.click("#theme");
        assertThat(tab.evaluate(chart(0) + ".getVisibleDatasetCount()").asInt())
                .as("in other colours")
                .isEqualTo(2);

        tab.click("#chart-0 .legend button");
        assertThat(tab.evaluate(chart(0) + ".getVisibleDatasetCount()").asInt()).isEqualTo(3);
    }

    @Test
    void everySeriesCanBeHidden() throws Exception {
        Tab tab = tab(1280).read(page);

        tab.evaluate("document.querySelectorAll('.legend button').forEach(button => button.click())");

        assertThat(tab.evaluate(chart(4) + ".getVisibleDatasetCount()").asInt()).isZero();
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void pointingTellsTheExactValueAsTheTableHasIt() throws Exception {
        Tab tab = tab(1280).read(page);

        tab.point(0, 1, 0);

        assertThat(tab.told(0)).isEqualTo("clients 1, read, 4 (3.2\u20135.2) ms");
        assertThat(tab.evaluate("document.querySelector('#chart-0 tbody td:nth-child(3)').textContent")
                        .asText())
                .isEqualTo("4 (3.2\u20135.2)");
    }

    @Test
    void aPointIsNamedByItsLabel() throws Exception {
        Tab tab = tab(1280).read(page);

        tab.point(2, 0, 0);

        assertThat(tab.told(2)).startsWith("throughput 139.726 MB/s, read, 1 clients, ");
    }

    @ParameterizedTest
    @ValueSource(ints = {320, 360, 1280})
    void whatPointingTellsStaysWithinTheChart(int width) throws Exception {
        Tab tab = tab(width).read(page);

        for (int chart = 0; chart < CHARTS; chart++) {
            tab.point(
                    chart,
                    0,
                    tab.evaluate(chart(chart) + ".data.datasets[0].data.findLastIndex(one => one.text)")
                            .asInt());
            assertThat(tab.told(chart)).isNotEmpty();

            JsonNode tip = tab.evaluate(
                    "(({ width, tooltip }) => [tooltip.x, width - tooltip.x - tooltip.width])(" + chart(chart) + ")");
            assertThat(tip.get(0).asDouble()).isNotNegative();
            assertThat(tip.get(1).asDouble()).isNotNegative();
        }
    }

    @Test
    void aTapTellsTheSameAndStays() throws Exception {
        Tab tab = tab(360).read(page);

        tab.tap(4, 0, 1);

        assertThat(tab.told(4)).isEqualTo("512 B, KV Store, StreamingRead, 70 (65.1\u201373.5) MB/s");
    }

    @Test
    void theKeyboardReachesEveryValue() throws Exception {
        Tab tab = tab(1280).read(page);
        tab.evaluate("document.querySelector('#chart-0 .plot canvas').focus()");

        tab.press("ArrowRight");
        assertThat(tab.told(0)).startsWith("clients 1, lookup, ");
        tab.press("ArrowRight");
        assertThat(tab.told(0)).startsWith("clients 2, lookup, ");
        tab.press("ArrowDown");
        assertThat(tab.told(0)).startsWith("clients 2, read, ");
        tab.press("Escape");
        assertThat(tab.told(0)).isEmpty();
    }

    @Test
    void theKeyboardReachesEveryBar() throws Exception {
        Tab tab = tab(1280).read(page);
        tab.evaluate("document.querySelector('#chart-4 .plot canvas').focus()");

        tab.press("ArrowDown");
        assertThat(tab.told(4)).startsWith("512 B, KV Store, StreamingRead, ");
        tab.press("ArrowDown");
        assertThat(tab.told(4)).startsWith("512 B, Redis, its own client, ");
        tab.press("ArrowRight");
        assertThat(tab.told(4)).startsWith("1.2 MB, Redis, its own client, ");
    }

    @Test
    void equalRatiosAreEqualDistancesOnALogarithmicAxis() throws Exception {
        Tab tab = tab(1280).read(page);

        JsonNode middles = tab.evaluate(chart(0) + ".getDatasetMeta(0).data.map(({ x }) => x)");

        assertThat(middles).hasSize(8);
        double one = middles.get(0).asDouble();
        double ten = middles.get(3).asDouble();
        double hundred = middles.get(6).asDouble();
        assertThat(hundred - ten).isCloseTo(ten - one, within(0.1));
    }

    @Test
    void theTablesAreThereWithoutJavaScript() throws Exception {
        Tab tab = tab(360).withoutScripts().read(page);

        assertThat(tab.count(".plot canvas")).isZero();
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
        assertThat(firstColour(tab)).isEqualTo(LIGHT_SERIES);
    }

    @Test
    void aPageThatIsDarkIsPrintedInLightColours() throws Exception {
        Tab tab = tab(794).dark(true).read(page);
        assertThat(firstColour(tab)).isEqualTo(DARK_SERIES);

        tab.onPaper();

        tab.told(0);
        assertThat(firstColour(tab)).isEqualTo(LIGHT_SERIES);
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

    private static String chart(int number) {
        return "Chart.getChart(document.querySelector('#chart-" + number + " .plot canvas'))";
    }

    private static String firstColour(Tab tab) {
        return tab.evaluate(chart(0) + ".data.datasets[0].borderColor").asText();
    }

    private static String background(Tab tab) {
        return tab.evaluate("getComputedStyle(document.body).backgroundColor").asText();
    }

    private static Tab tab(int width) {
        return Objects.requireNonNull(chromium).open(width, 800);
    }
}
