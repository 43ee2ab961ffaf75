package dev.kvstore.endtoend;

import dev.kvstore.launcher.Program;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Flags with which the processes of a stack talk to each other several times as often, so that tests wait less. */
final class FastBeats {
    /** A lease of 6 s instead of 15; a claim of a warming's chunk of 5 s instead of 15. */
    private static final List<String> CONTROL_PLANE =
            List.of("-Ddev.kvstore.test.heartbeat.seconds=2", "-Ddev.kvstore.test.claim.seconds=5");

    private static final List<String> DATA_PLANE = List.of(
            "-Ddev.kvstore.test.heat.millis=500",
            "-Ddev.kvstore.test.warming.millis=500",
            "-Ddev.kvstore.test.purge.millis=500");

    /** Flags for the java of each program. */
    static final Map<Program, List<String>> FAST =
            Map.of(Program.CONTROL_PLANE, CONTROL_PLANE, Program.DATA_PLANE, DATA_PLANE);

    private FastBeats() {}

    /** The same for processes that somebody else starts, by what their java reads in its environment. */
    static Map<String, String> environment() {
        return Map.of(
                "JAVA_TOOL_OPTIONS",
                String.join(
                        " ",
                        Stream.concat(CONTROL_PLANE.stream(), DATA_PLANE.stream())
                                .toList()));
    }
}
