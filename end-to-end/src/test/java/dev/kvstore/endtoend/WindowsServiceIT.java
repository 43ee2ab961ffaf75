package dev.kvstore.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.launcher.Home;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * What can be known of {@code deploy/machine/kv-node.winsw.xml} without Windows. The elements and values are those of
 * WinSW's pages xml-config-file.md and logging-and-error-reporting.md (branches v2 and v3).
 */
class WindowsServiceIT {
    private static final Set<String> ELEMENTS = Set.of(
            "id",
            "name",
            "description",
            "executable",
            "arguments",
            "startmode",
            "delayedAutoStart",
            "depend",
            "logpath",
            "log",
            "argument",
            "startargument",
            "stopargument",
            "stopexecutable",
            "stoptimeout",
            "env",
            "download",
            "onfailure",
            "resetfailure",
            "serviceaccount",
            "workingdirectory",
            "priority");
    private static final String TIME = "\\d+ (sec|secs|min|mins|hour|hours|day|days)";
    private static final Set<String> LOG_MODES =
            Set.of("append", "reset", "none", "roll", "roll-by-size", "roll-by-time", "roll-by-size-time");

    /** The command line of cmd: start, as Microsoft documents it, then java, its options and the program's flags. */
    private static final Pattern START = Pattern.compile(
            "/c start \"[^\"]+\" /NODE \\d+ /AFFINITY 0x[0-9a-f]+ /B /WAIT (java .* -jar data-plane-runner\\.jar)( .*)");

    private static final Pattern FLAG = Pattern.compile("--[a-z-]+");

    @TempDir
    Path folder;

    private Element service;

    @BeforeEach
    void read() throws Exception {
        service = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(Documents.ROOT
                        .resolve("deploy/machine/kv-node.winsw.xml")
                        .toFile())
                .getDocumentElement();
    }

    private Stream<Element> elements(String name) {
        NodeList nodes = service.getChildNodes();
        return IntStream.range(0, nodes.getLength())
                .mapToObj(nodes::item)
                .filter(Element.class::isInstance)
                .map(Element.class::cast)
                .filter(element -> name.equals("*") || element.getTagName().equals(name));
    }

    private String text(String name) {
        return elements(name).map(Node::getTextContent).findFirst().orElse("");
    }

    private Matcher start() {
        Matcher start = START.matcher(text("arguments"));
        assertThat(start.matches()).as(text("arguments")).isTrue();
        return start;
    }

    @Test
    void theFileHasElementsAndValuesThatWinswDocuments() {
        assertThat(service.getTagName()).isEqualTo("service");
        assertThat(elements("*").map(Element::getTagName)).isSubsetOf(ELEMENTS);
        assertThat(text("id")).matches("[A-Za-z0-9]+");
        assertThat(text("executable")).isEqualTo("cmd");
        assertThat(text("stoptimeout")).matches(TIME);
        assertThat(elements("onfailure"))
                .isNotEmpty()
                .allSatisfy(failure -> assertThat(failure.getAttribute("action") + " " + failure.getAttribute("delay"))
                        .matches("(restart|reboot|none) " + TIME));
        assertThat(elements("log")).allSatisfy(log -> assertThat(LOG_MODES).contains(log.getAttribute("mode")));
    }

    @Test
    void itsVariablesAreSettings() throws Exception {
        String settings = Files.readString(Documents.ROOT.resolve("docs/operations/all-settings.md"));

        assertThat(elements("env"))
                .isNotEmpty()
                .allSatisfy(variable -> assertThat(settings)
                        .contains("`"
                                + variable.getAttribute("name")
                                        .replaceFirst("KVSTORE_", "")
                                        .replace('_', '-')
                                        .toLowerCase(Locale.ROOT)
                                + "`"));
    }

    @Test
    void itsJavaStartsAndTakesEachFlagOfFileAndPage() throws Exception {
        Path checkout = Home.current().path();
        for (String options : List.of("jvm.options", "data-plane.options")) {
            Files.copy(
                    checkout.resolve("launcher/src/main/resources/dev/kvstore/launcher")
                            .resolve(options),
                    folder.resolve(options));
        }
        Files.createSymbolicLink(
                folder.resolve("data-plane-runner.jar"), checkout.resolve("data-plane/target/data-plane-runner.jar"));
        List<String> command = new ArrayList<>(List.of(start().group(1).split(" ", -1)));
        command.set(0, Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--help-all");

        Process java = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String help = new String(java.getInputStream().readAllBytes(), UTF_8);

        assertThat(java.waitFor()).as(help).isZero();
        String page = Files.readString(checkout.resolve("docs/operations/machines.md"));
        Matcher ofPage = Pattern.compile("`start \"kv node 0\" [^`]+`").matcher(page);
        assertThat(ofPage.find()).as("the command of the page").isTrue();
        assertThat(Stream.of(start().group(2), ofPage.group())
                        .flatMap(text -> FLAG.matcher(text).results())
                        .map(flag -> flag.group()))
                .hasSizeGreaterThan(5)
                .allSatisfy(flag -> assertThat(help).contains(flag));
    }
}
