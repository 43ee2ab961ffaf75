package dev.kvstore.endtoend;

import dev.kvstore.endtoend.Meters.Meter;
import dev.kvstore.endtoend.Meters.Plane;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Queries of a dashboard. Immutable.
 *
 * @param planes whose processes the dashboard shows
 * @param catalogues the meters of these planes
 */
record DashboardQuery(List<Plane> planes, List<Meters> catalogues) {
    private static final Pattern SERIES = Pattern.compile("(?<![\\w:$])((?:kvstore|vllm:kvstore|process|jvm|http_server"
            + "|grpc_server|netty)_\\w++|kvstore:[\\w:]++|up)(?![\\w(:])(?:\\{([^}]*)\\})?");
    private static final String ENGINE = "vllm:";
    private static final Pattern OWN = Pattern.compile("(vllm:)?kvstore_.*");
    private static final Pattern BY = Pattern.compile("by \\(([^)]*)\\)");
    private static final Pattern MATCHER = Pattern.compile("(\\w+)(?:=~|!=|=)\"([^\"]*)\"");
    /** Labels that a scrape or a histogram adds. */
    private static final Set<String> ADDED = Set.of("job", "instance", "region", "cluster", "le");

    /** The labels that variables choose of a plane's series, and the value of each that stands for all. */
    static List<String> chosen(Plane plane) {
        return switch (plane) {
            case DATA -> List.of("job", "region", "cluster", "instance");
            case CONTROL -> List.of("job", "instance");
            case ENGINE -> List.of("job", "model_name", "instance");
        };
    }

    /** What a query's lines are called: by the labels that tell them apart, else by the panel's title. */
    static String legend(String query, String title) {
        Matcher by = BY.matcher(query);
        String labels = by.find()
                ? Stream.of(by.group(1).split(", "))
                        .filter(label -> !label.equals("le"))
                        .map(label -> "{{" + label + "}}")
                        .collect(Collectors.joining(" "))
                : "";
        return labels.isEmpty() ? title : labels;
    }

    /**
     * The meters that it names.
     *
     * @throws IllegalArgumentException if there is no such meter, or it has no such label
     */
    Stream<Meter> meters(String query) {
        return SERIES.matcher(query)
                .results()
                .filter(series -> OWN.matcher(series.group(1)).matches())
                .map(series -> {
                    Meter meter = meter(series.group(1));
                    requireLabels(meter, series);
                    return meter;
                });
    }

    private Meter meter(String series) {
        return catalogues.stream()
                .flatMap(catalogue -> catalogue.all().stream())
                .filter(meter -> meter.has(series))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no " + planes + " plane has the meter " + series));
    }

    private static void requireLabels(Meter meter, MatchResult series) {
        if (series.group(2) == null) {
            return;
        }
        MATCHER.matcher(series.group(2)).results().forEach(matcher -> {
            String label = matcher.group(1);
            if (!ADDED.contains(label)
                    && !Pattern.compile("\\b" + label + "\\b")
                            .matcher(meter.labels())
                            .find()) {
                throw new IllegalArgumentException(meter.name() + " has no label " + label);
            }
            for (String value : matcher.group(2).split("\\|", -1)) {
                if (value.matches("\\w+") && !meter.help().matches(".*\\b" + value + "\\b.*")) {
                    throw new IllegalArgumentException(meter.name() + " says nothing of " + label + " " + value);
                }
            }
        });
    }

    /** The query on the series that the variables choose. */
    String scoped(String query) {
        return SERIES.matcher(query).replaceAll(series -> {
            List<String> matchers = new ArrayList<>();
            boolean ofEngine = series.group(1).startsWith(ENGINE);
            if (ofEngine) {
                matchers.add(ofEngine(series.group(1)));
            }
            if (series.group(2) != null) {
                matchers.add(series.group(2));
            }
            labels(series.group(1)).map(label -> label + "=~\"$" + label + "\"").forEach(matchers::add);
            String chosen = matchers.isEmpty() ? "" : "{" + String.join(",", matchers) + "}";
            return Matcher.quoteReplacement((ofEngine ? "" : series.group(1)) + chosen);
        });
    }

    /** A matcher of both names that a meter of an engine may have: a scrape may make an underscore of the colon. */
    static String ofEngine(String series) {
        return "__name__=~\"vllm[:_]" + series.substring(ENGINE.length()) + "\"";
    }

    private Stream<String> labels(String series) {
        if (series.startsWith("kvstore:")) {
            // Of recording rules; an objective is that of all regions.
            return series.endsWith("_objective") ? Stream.of() : Stream.of("region", "cluster");
        }
        if (!OWN.matcher(series).matches()) {
            return planes.size() == 1 ? chosen(planes.getFirst()).stream() : Stream.of("job", "instance");
        }
        for (int i = 0; i < planes.size(); i++) {
            for (Meter meter : catalogues.get(i).all()) {
                if (meter.has(series)) {
                    Stream<String> own = meter.labels().contains("`region`") ? Stream.of("region") : Stream.of();
                    return Stream.concat(chosen(planes.get(i)).stream(), own).distinct();
                }
            }
        }
        throw new IllegalArgumentException(series);
    }
}
