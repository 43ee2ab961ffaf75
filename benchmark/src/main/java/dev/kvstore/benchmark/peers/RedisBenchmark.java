package dev.kvstore.benchmark.peers;

import dev.kvstore.launcher.LaunchException;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * redis-benchmark, Redis' own client in C: its command line, and its output.
 *
 * @param path of the program
 * @param port of Redis on loopback
 * @param values how many keys it asks for or sets, at random
 * @param valueBytes length of each value that it sets
 */
record RedisBenchmark(String path, int port, int values, int valueBytes) {
    /** {@code "GET","12345.67"}, in later versions with latencies behind it and a line of titles above. */
    private static final Pattern LINE = Pattern.compile("(?m)^\"(\\w+)\",\"([0-9.]+)\"");

    /**
     * One connection per client, one request at a time on each, a thread for all.
     *
     * @param test GET or SET
     * @param database of Redis, so that SET does not change the values that GET reads
     */
    List<String> command(String test, int database, int clients, long requests) {
        return List.of(
                path,
                "-h",
                "127.0.0.1",
                "-p",
                Integer.toString(port),
                "-t",
                test.toLowerCase(Locale.ROOT),
                "-c",
                Integer.toString(clients),
                "-n",
                Long.toString(requests),
                "-d",
                Integer.toString(valueBytes),
                "-r",
                Integer.toString(values),
                "-P",
                "1",
                "--dbnum",
                Integer.toString(database),
                "--csv");
    }

    /**
     * How many requests a second there were.
     *
     * @throws LaunchException if the text does not say
     */
    static double requestsPerSecond(String test, String output) {
        return LINE.matcher(output)
                .results()
                .filter(line -> line.group(1).equals(test))
                .map((MatchResult line) -> Double.parseDouble(line.group(2)))
                .findFirst()
                .orElseThrow(
                        () -> new LaunchException("redis-benchmark does not say how fast it was: " + output.strip()));
    }
}
