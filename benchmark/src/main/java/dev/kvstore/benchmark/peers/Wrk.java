package dev.kvstore.benchmark.peers;

import dev.kvstore.benchmark.peers.load.BadBlockException;
import dev.kvstore.launcher.LaunchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * wrk, a client for HTTP in C: its command line, and its output.
 *
 * @param path of the program
 * @param script that has it ask for one block after the other
 */
record Wrk(String path, Path script) {
    private static final Pattern REQUESTS = Pattern.compile("(?m)^\\s*([0-9]+) requests in ");
    private static final Pattern RATE = Pattern.compile("(?m)^Requests/sec:\\s*([0-9.]+)\\s*$");
    private static final Pattern ERRORS = Pattern.compile("(?m)^\\s*((?:Socket errors|Non-2xx or 3xx responses):.*)$");

    /** With its script in a folder. */
    static Wrk of(String path, Path folder, int blocks) throws IOException {
        return new Wrk(path, Files.writeString(folder.resolve("blocks.lua"), """
                local requests, last = {}, 0
                function init(args)
                  for block = 0, %1$d - 1 do requests[block] = wrk.format("GET", "/" .. block) end
                end
                function request()
                  last = (last + 1) %% %1$d
                  return requests[last]
                end
                """.formatted(blocks)));
    }

    /**
     * One connection per client.
     *
     * @param threads at most as many as clients
     * @param seconds 1 or more
     */
    List<String> command(int port, int threads, int clients, long seconds) {
        return Programs.command(
                "%s -t %s -c %s -d %ss --timeout 60s -s %s http://127.0.0.1:%s/0",
                path, Math.min(threads, clients), clients, seconds, script, port);
    }

    /**
     * The counts of wrk.
     *
     * @param requests that were answered
     * @param perSecond how many that were a second
     */
    record WrkCount(long requests, double perSecond) {}

    /**
     * Reads what wrk says.
     *
     * @throws BadBlockException if requests failed, or none was answered
     * @throws LaunchException if the text does not say how many there were
     */
    static WrkCount count(String output) {
        Matcher errors = ERRORS.matcher(output);
        if (errors.find()) {
            throw new BadBlockException("wrk: " + errors.group(1).strip());
        }
        Matcher requests = REQUESTS.matcher(output);
        Matcher rate = RATE.matcher(output);
        if (!requests.find() || !rate.find()) {
            throw new LaunchException("wrk does not say how fast it was: " + output.strip());
        }
        WrkCount count = new WrkCount(Long.parseLong(requests.group(1)), Double.parseDouble(rate.group(1)));
        if (count.requests() == 0) {
            throw new BadBlockException("wrk: no request was answered");
        }
        return count;
    }
}
