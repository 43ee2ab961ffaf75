package dev.kvstore.benchmark.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A page in a browser, and a reader's hands and eyes. For one thread. */
final class Tab {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Chromium browser;
    private final String session;
    private final int width;
    private final Queue<String> complaints = new ConcurrentLinkedQueue<>();
    private final BlockingQueue<String> loaded = new LinkedBlockingQueue<>();

    Tab(Chromium browser, String session, int width, int height) {
        this.browser = browser;
        this.session = session;
        this.width = width;
        browser.listen(session, this::event);
        for (String domain : List.of("Page", "Runtime", "Log")) {
            send(domain + ".enable", MAPPER.createObjectNode());
        }
        send(
                "Emulation.setDeviceMetricsOverride",
                MAPPER.createObjectNode()
                        .put("width", width)
                        .put("height", height)
                        .put("deviceScaleFactor", 1)
                        .put("mobile", width < 600));
        send("Emulation.setFocusEmulationEnabled", MAPPER.createObjectNode().put("enabled", true));
        dark(false);
    }

    private void event(String name, JsonNode parameters) {
        switch (name) {
            case "Page.loadEventFired" -> loaded.add(name);
            case "Runtime.exceptionThrown", "Log.entryAdded" -> complaints.add(parameters.toString());
            case "Runtime.consoleAPICalled" -> {
                if (List.of("error", "warning", "assert")
                        .contains(parameters.path("type").asText())) {
                    complaints.add(parameters.toString());
                }
            }
            default -> {}
        }
    }

    JsonNode send(String method, ObjectNode parameters) {
        return browser.send(session, method, parameters);
    }

    /** Whether the reader's system is dark. */
    Tab dark(boolean dark) {
        return media("", dark);
    }

    /** As it is printed, by a reader whose system is dark. */
    Tab onPaper() {
        return media("print", true);
    }

    private Tab media(String media, boolean dark) {
        ObjectNode parameters = MAPPER.createObjectNode().put("media", media);
        parameters
                .putArray("features")
                .addObject()
                .put("name", "prefers-color-scheme")
                .put("value", dark ? "dark" : "light");
        send("Emulation.setEmulatedMedia", parameters);
        return this;
    }

    Tab withoutScripts() {
        send("Emulation.setScriptExecutionDisabled", MAPPER.createObjectNode().put("value", true));
        return this;
    }

    /** Opens a file, and waits until it is there. */
    Tab read(Path file) throws InterruptedException {
        loaded.clear();
        send("Page.navigate", MAPPER.createObjectNode().put("url", file.toUri().toString()));
        if (loaded.poll(60, TimeUnit.SECONDS) == null) {
            throw new AssertionError(file + " was not loaded within a minute");
        }
        return this;
    }

    /** The value of an expression in JavaScript, in the page. */
    JsonNode evaluate(String expression) {
        JsonNode answer = send(
                "Runtime.evaluate",
                MAPPER.createObjectNode()
                        .put("expression", expression)
                        .put("returnByValue", true)
                        .put("awaitPromise", true)
                        .put("userGesture", true));
        if (answer.has("exceptionDetails")) {
            throw new AssertionError(expression + ": " + answer.path("exceptionDetails"));
        }
        return answer.path("result").path("value");
    }

    String text(String selector) {
        return evaluate("document.querySelector('" + selector + "').innerText").asText();
    }

    int count(String selector) {
        return evaluate("document.querySelectorAll('" + selector + "').length").asInt();
    }

    void click(String selector) {
        evaluate("document.querySelector('" + selector + "').click()");
    }

    /** Points at the middle of a value in a chart. */
    void point(int chart, int series, int value) {
        JsonNode at = middle(chart, series, value);
        send(
                "Input.dispatchMouseEvent",
                MAPPER.createObjectNode()
                        .put("type", "mouseMoved")
                        .put("x", at.path(0).asDouble())
                        .put("y", at.path(1).asDouble()));
    }

    /** Touches the middle of a value in a chart, and lets go. */
    void tap(int chart, int series, int value) {
        JsonNode at = middle(chart, series, value);
        ObjectNode touch = MAPPER.createObjectNode().put("type", "touchStart");
        touch.putArray("touchPoints")
                .addObject()
                .put("x", at.path(0).asDouble())
                .put("y", at.path(1).asDouble());
        send("Input.dispatchTouchEvent", touch);
        ObjectNode letGo = MAPPER.createObjectNode().put("type", "touchEnd");
        letGo.putArray("touchPoints");
        send("Input.dispatchTouchEvent", letGo);
    }

    void press(String key) {
        for (String type : List.of("rawKeyDown", "keyUp")) {
            send(
                    "Input.dispatchKeyEvent",
                    MAPPER.createObjectNode().put("type", type).put("key", key).put("code", key));
        }
    }

    /** Where it is once it was scrolled to and drawn there: until then what is pointed at is what was there before. */
    private JsonNode middle(int chart, int series, int value) {
        return evaluate("""
                (async () => {
                  const canvas = document.querySelector('#chart-%d .plot canvas');
                  canvas.scrollIntoView({ block: 'center' });
                  await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
                  const { x, y } = Chart.getChart(canvas).getDatasetMeta(%d).data[%d].getCenterPoint();
                  const box = canvas.getBoundingClientRect();
                  return [box.x + x, box.y + y];
                })()""".formatted(chart, series, value));
    }

    /** The text of a chart's tooltip, once the frame after an event is drawn. */
    String told(int chart) {
        return evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
                        + ".then(() => document.querySelector('#chart-" + chart + " .spoken').textContent)")
                .asText();
    }

    /** The faults that the browser found in the page. */
    List<String> complaints() {
        return List.copyOf(complaints);
    }

    /** The whole page, for somebody to look at. */
    void picture(Path file) throws IOException {
        double height = evaluate("document.documentElement.scrollHeight").asDouble();
        ObjectNode parameters = MAPPER.createObjectNode().put("captureBeyondViewport", true);
        parameters
                .putObject("clip")
                .put("x", 0)
                .put("y", 0)
                .put("width", width)
                .put("height", height)
                .put("scale", 1);
        Files.createDirectories(file.getParent());
        Files.write(
                file,
                Base64.getDecoder()
                        .decode(send("Page.captureScreenshot", parameters)
                                .path("data")
                                .asText()));
    }
}
