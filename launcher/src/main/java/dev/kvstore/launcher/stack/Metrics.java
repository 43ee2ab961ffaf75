package dev.kvstore.launcher.stack;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kvstore.launcher.LaunchException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Proxy;
import java.net.URI;
import java.net.URLConnection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * One reading of a process's metrics, in Prometheus' text format.
 *
 * @param samples the values by name and labels, without comments
 */
public record Metrics(List<MetricSample> samples) {
    /** One line of the text. */
    public record MetricSample(String name, Map<String, String> labels, double value) {}

    private static final Pattern LINE = Pattern.compile("([A-Za-z_:][\\w:]*)(?:\\{(.*)})?\\s+(\\S+)(?:\\s+\\d+)?");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final int TIMEOUT_MILLIS = 5_000;

    /**
     * Reads the present metrics of a process directly, whatever proxy this JVM has.
     *
     * @throws LaunchException if they cannot be read
     */
    public static Metrics scrape(URI url) {
        return scrape(url, null);
    }

    /**
     * Reads them, by HTTPS if the URL says so.
     *
     * @param trust the authorities of the process's certificate; null for Java's own
     * @throws LaunchException if they cannot be read
     */
    public static Metrics scrape(URI url, @Nullable SSLContext trust) {
        try {
            URLConnection connection = url.toURL().openConnection(Proxy.NO_PROXY);
            if (connection instanceof HttpsURLConnection secure && trust != null) {
                secure.setSSLSocketFactory(trust.getSocketFactory());
            }
            connection.setConnectTimeout(TIMEOUT_MILLIS);
            connection.setReadTimeout(TIMEOUT_MILLIS);
            try (InputStream body = connection.getInputStream()) {
                return parse(new String(body.readAllBytes(), UTF_8));
            }
        } catch (IOException e) {
            throw new LaunchException("metrics at " + url + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Parses a page of metrics. */
    public static Metrics parse(String text) {
        return new Metrics(text.lines()
                .map(LINE::matcher)
                .filter(Matcher::matches)
                .map(line -> new MetricSample(line.group(1), labels(line.group(2)), value(line.group(3))))
                .toList());
    }

    private static Map<String, String> labels(@Nullable String text) {
        Map<String, String> labels = new TreeMap<>();
        if (text != null) {
            LABEL.matcher(text).results().forEach(label -> labels.put(label.group(1), label.group(2)));
        }
        return labels;
    }

    private static double value(String text) {
        return switch (text) {
            case "+Inf" -> Double.POSITIVE_INFINITY;
            case "-Inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
        };
    }

    /** The sum over all labels; 0 if there is no such metric. */
    public double sum(String name) {
        return samples.stream()
                .filter(sample -> sample.name().equals(name))
                .mapToDouble(MetricSample::value)
                .sum();
    }

    /** The sums by the values of one label. */
    public Map<String, Double> sumsBy(String name, String label) {
        Map<String, Double> sums = new TreeMap<>();
        for (MetricSample sample : samples) {
            if (sample.name().equals(name)) {
                sums.merge(sample.labels().getOrDefault(label, ""), sample.value(), Double::sum);
            }
        }
        return sums;
    }
}
