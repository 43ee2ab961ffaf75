package dev.kvstore.benchmark.engine;

import dev.kvstore.benchmark.peers.ProgramRun;
import dev.kvstore.benchmark.python.PythonEnvironment;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.LaunchException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The Python of the engines.
 *
 * @param program drives one engine
 * @param modules those of vLLM, its connector and LMCache that are installed, each with its version behind a blank
 */
record EnginePython(Path interpreter, Path program, List<String> modules) {
    private static final String VLLM = "vllm";
    private static final String CONNECTOR = "kvstore_vllm";
    private static final String LMCACHE = "lmcache";

    private static final String MODULES = """
            import importlib.metadata as m, importlib.util as u
            for name in ("vllm", "kvstore_vllm", "lmcache"):
                if u.find_spec(name):
                    print(name, *[m.version(one) for one in m.packages_distributions().get(name, ())[:1]])
            """;

    EnginePython {
        modules = List.copyOf(modules);
    }

    /**
     * Looks what is installed; installs nothing.
     *
     * @param named the interpreter; null for the one that {@code kv test --engines} made, with LMCache if there is one
     * @throws LaunchException if there is no vLLM or no connector, with the way to have it
     */
    static EnginePython of(Home home, @Nullable Path named) throws IOException, InterruptedException {
        Path interpreter = named == null ? made(home) : named;
        Path program = home.path().resolve("client-python/kvstore-vllm/engines/bench.py");
        ProgramRun run =
                ProgramRun.of(List.of(interpreter.toString(), "-c", MODULES)).orThrow(interpreter.toString());
        EnginePython python =
                new EnginePython(interpreter, program, run.output().lines().toList());
        for (String name : List.of(VLLM, CONNECTOR)) {
            if (!python.has(name)) {
                throw new LaunchException("--python: " + interpreter + " has no module " + name
                        + "; install vLLM, then client-python/kvstore-client and client-python/kvstore-vllm");
            }
        }
        return python;
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
        return has(LMCACHE);
    }

    private boolean has(String name) {
        return modules.stream().anyMatch(line -> line.split(" ", 2)[0].equals(name));
    }
}
