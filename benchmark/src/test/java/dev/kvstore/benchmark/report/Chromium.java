package dev.kvstore.benchmark.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/** A headless Chromium of a test's own, driven over its DevTools protocol. For one thread. */
final class Chromium implements AutoCloseable {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome", "chrome");
    private static final long PATIENCE_SECONDS = 60;

    // As root there is no sandbox to be had; and it is to speak to nobody.
    private static final List<String> FLAGS = List.of(
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
            "--remote-debugging-port=0");

    private final Process process;
    private final WebSocket socket;
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
    private final Map<String, BiConsumer<String, JsonNode>> listeners = new ConcurrentHashMap<>();

    private Chromium(Process process, URI address) {
        this.process = process;
        this.socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(address, new BrowserMessages())
                .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    /** The program that {@code CHROMIUM} names, else the first on the PATH. */
    static Optional<Path> executable() {
        String named = System.getenv("CHROMIUM");
        if (named != null && !named.isBlank()) {
            return Optional.of(Path.of(named));
        }
        String path = System.getenv().getOrDefault("PATH", "");
        return Stream.of(path.split(File.pathSeparator))
                .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** @param folder for its profile and its log */
    static Chromium start(Path executable, Path folder) throws IOException, InterruptedException {
        Path log = folder.resolve("chromium.log");
        ProcessBuilder builder = new ProcessBuilder(executable.toString());
        builder.command().addAll(FLAGS);
        builder.command().addAll(List.of("--user-data-dir=" + folder.resolve("profile"), "about:blank"));
        Process process =
                builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
        try {
            return new Chromium(process, URI.create(address(process, log)));
        } catch (IOException | RuntimeException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    /** It says where it listens in a line of its own. */
    private static String address(Process process, Path log) throws IOException, InterruptedException {
        String mark = "DevTools listening on ";
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (process.isAlive() && System.nanoTime() < end) {
            Optional<String> line = Files.readString(log, UTF_8)
                    .lines()
                    .filter(said -> said.startsWith(mark))
                    .findFirst();
            if (line.isPresent()) {
                return line.get().substring(mark.length()).strip();
            }
            process.waitFor(20, TimeUnit.MILLISECONDS);
        }
        throw new IOException("Chromium does not listen; it said: " + Files.readString(log, UTF_8));
    }

    /** A page that fills a screen of this size, in pixels, of a reader who was never here before. */
    Tab open(int width, int height) {
        String reader = send("", "Target.createBrowserContext", MAPPER.createObjectNode())
                .path("browserContextId")
                .asText();
        String target = send(
                        "",
                        "Target.createTarget",
                        MAPPER.createObjectNode().put("url", "about:blank").put("browserContextId", reader))
                .path("targetId")
                .asText();
        String session = send(
                        "",
                        "Target.attachToTarget",
                        MAPPER.createObjectNode().put("targetId", target).put("flatten", true))
                .path("sessionId")
                .asText();
        return new Tab(this, session, width, height);
    }

    /** Each event of that page: its name and what comes with it. */
    void listen(String session, BiConsumer<String, JsonNode> listener) {
        listeners.put(session, listener);
    }

    /** Waits for the answer. */
    JsonNode send(String session, String method, ObjectNode parameters) {
        int id = ids.incrementAndGet();
        ObjectNode message = MAPPER.createObjectNode().put("id", id).put("method", method);
        message.set("params", parameters);
        if (!session.isEmpty()) {
            message.put("sessionId", session);
        }
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        answers.put(id, answer);
        socket.sendText(message.toString(), true)
                .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .join();
        JsonNode answered = answer.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
        if (answered.has("error")) {
            throw new AssertionError(method + ": " + answered.path("error"));
        }
        return answered.path("result");
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        process.onExit().join();
    }

    /** The browser's output, message by message. */
    private final class BrowserMessages implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                take(text.toString());
                text.setLength(0);
            }
            from.request(1);
            return CompletableFuture.completedStage(null);
        }

        private void take(String message) {
            JsonNode json;
            try {
                json = MAPPER.readTree(message);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
            CompletableFuture<JsonNode> answer = answers.remove(json.path("id").asInt());
            if (answer != null) {
                answer.complete(json);
            } else if (json.has("method")) {
                listeners
                        .getOrDefault(json.path("sessionId").asText(), (_, _) -> {})
                        .accept(json.path("method").asText(), json.path("params"));
            }
        }
    }
}
