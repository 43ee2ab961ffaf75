package dev.kvstore.benchmark.engine;

import dev.kvstore.benchmark.peers.ProgramRun;
import dev.kvstore.benchmark.python.PythonEnvironment;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.LaunchException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The Python of the engines.
 *
 * @param program drives one engine
 * @param versions of those of vLLM, its connector and LMCache that are installed, by the module's name
 */
record EnginePython(Path interpreter, Path program, Map<String, String> versions) {
    private static final String VLLM = "vllm";
    private static final String CONNECTOR = "kvstore_vllm";
    private static final String LMCACHE = "lmcache";

    private static final String VERSIONS =
            """
            import importlib.metadata as m, importlib.util as u
            for name in ("vllm", "kvstore_vllm", "lmcache"):
                if u.find_spec(name):
                    print(name, *[m.version(one) for one in m.packages_distributions().get(name, ())[:1]])
            """;

    EnginePython {
        versions = Map.copyOf(versions);
    }

    /**
     * Looks what is installed; installs nothing.
     *
     * @param named the interpreter; null for the one that {@code kv test --engines} made, with LMCache if there is one
     * @throws LaunchException if there is no vLLM or no connector, with the way to have it
     */
    static EnginePython of(Home home, @Nullable Path named) throws IOException, InterruptedException {
        Path interpreter = named == null ? made(home) : named;
        Map<String, String> versions = new TreeMap<>();
        ProgramRun.of(List.of(interpreter.toString(), "-c", VERSIONS))
                .orThrow(interpreter.toString())
                .output()
                .lines()
                .map(line -> line.split(" ", 2))
                .filter(words -> List.of(VLLM, CONNECTOR, LMCACHE).contains(words[0]))
                .forEach(words -> versions.put(words[0], words.length > 1 ? words[1] : ""));
        for (String name : List.of(VLLM, CONNECTOR)) {
            if (!versions.containsKey(name)) {
                throw new LaunchException("--python: " + interpreter + " has no module " + name
                        + "; install vLLM, then client-python/kvstore-client and client-python/kvstore-vllm");
            }
        }
        return new EnginePython(
                interpreter, home.path().resolve("client-python/kvstore-vllm/engines/bench.py"), versions);
    }

    private static Path made(Home home) throws IOException {
        Optional<PythonEnvironment> both = PythonEnvironment.ofEngine(home, LMCACHE);
        return (both.isPresent() ? both : PythonEnvironment.ofEngine(home, VLLM))
                .orElseThrow(() -> new LaunchException("there is no environment with vLLM in target/engines: ./kv test"
                        + " --engines lmcache makes one that has LMCache, too (7 GB), and tests it; or name a Python that"
                        + " has vLLM with --python"))
                .python();
    }

    boolean hasLmcache() {
        return versions.containsKey(LMCACHE);
    }
}
