package dev.kvstore.benchmark.sweep;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;

/**
 * A process of clients. It reads a {@link ClientSetup} and then {@link StepOrder}s from its standard input, a line
 * each, and writes to its standard output that it is ready, and for each order when the window begins, when it has
 * ended, and the {@link StepResult}. It ends when its input does.
 */
final class ClientProcess {
    static final String READY = "ready";
    static final String BEGUN = "begun";
    static final String ENDED = "ended";

    private ClientProcess() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        serve(new BufferedReader(new InputStreamReader(System.in, UTF_8)), System.out);
    }

    static void serve(BufferedReader in, PrintStream out) throws IOException, InterruptedException {
        ObjectMapper json = new ObjectMapper();
        Moments moments = new Moments() {
            @Override
            public void begun() {
                tell(out, BEGUN);
            }

            @Override
            public void ended() {
                tell(out, ENDED);
            }
        };
        String setup = in.readLine();
        if (setup == null) {
            return;
        }
        try (SweepLoad load = new SweepLoad(json.readValue(setup, ClientSetup.class))) {
            tell(out, READY);
            for (String order = in.readLine(); order != null; order = in.readLine()) {
                tell(out, json.writeValueAsString(load.run(json.readValue(order, StepOrder.class), moments)));
            }
        }
    }

    private static void tell(PrintStream out, String line) {
        out.println(line);
        out.flush();
    }
}
