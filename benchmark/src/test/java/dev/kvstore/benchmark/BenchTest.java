package dev.kvstore.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.settings.FirstLook;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** {@code kv bench}: what is wrong with a command is said in one sentence, before anything is measured. */
class BenchTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final CommandLine bench =
            Bench.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));

    @TempDir
    Path folder;

    @BeforeEach
    void aFile() throws Exception {
        Files.createFile(folder.resolve("file"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--concurrency 0 | --concurrency: must be 1 to 2000, not 0",
                "--concurrency 1,2001 | --concurrency: must be 1 to 2000, not 2001",
                "--concurrency 1,x | Invalid value for option '--concurrency' (N): 'x' is not an int",
                "--seconds 0 | --seconds: must be 1 to 3600, not 0",
                "--seconds 3601 | --seconds: must be 1 to 3600, not 3601",
                "--warmup 3601 | --warmup: must be 1 to 3600, not 3601",
                "--rounds 101 | --rounds: must be 1 to 100, not 101",
                "--quick --concurrency 5 | --quick: has its own --concurrency; leave one of the two out",
                "--quick --seconds 5 | --quick: has its own --seconds; leave one of the two out",
                "--warmup 8 --quick | --quick: has its own --warmup; leave one of the two out",
                "--quick --rounds 3 | --quick: has its own --rounds; leave one of the two out",
                "--storage tape | Invalid value for option '--storage': must be filesystem or azurite, not 'tape'",
                "--load tape | Invalid value for option '--load': must be mixed or lookup or missing-lookup or read or"
                        + " streaming-read or write or streaming-write, not 'tape'",
                "--target 80% | --target: cannot be \"80%\"; give iterations a second, as in 2000, bytes, as in 10GB/s, or"
                        + " tokens, as in 500ktok/s or 10Mtok/s",
                "--nic-gbit 0 | --nic-gbit: must be 0.1 to 10000, not 0.0",
                "--prompt-blocks 1001 | --prompt-blocks: must be 1 to 1000, not 1001",
                "--json FOLDER | --json: FOLDER is a folder; name a file",
            })
    void refusesInOneSentence(String flags, String sentence) {
        int exitCode = bench.execute(
                ("sweep " + flags).replace("FOLDER", folder.toString()).split(" "));

        assertThat(err.toString().lines())
                .containsExactly(
                        "kv bench sweep: " + sentence.replace("FOLDER", folder.toString()),
                        "kv bench sweep --help-all explains every flag");
        assertThat(exitCode).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--rounds 0 | --rounds: must be 1 to 100, not 0",
                "--seconds 3601 | --seconds: must be 1 to 3600, not 3601",
                "--warmup 0 | --warmup: must be 1 to 3600, not 0",
                "--only tcp,java | Invalid value for option '--only' (CLIENT): must be tcp or kvstore or unverified or"
                        + " agent or ahead or grpcio or redis or mooncake or lmcache or resp, not 'java'",
            })
    void pythonRefusesInOneSentence(String flags, String sentence) {
        int exitCode = bench.execute(("python " + flags).split(" "));

        assertThat(err.toString().lines())
                .containsExactly("kv bench python: " + sentence, "kv bench python --help-all explains every flag");
        assertThat(exitCode).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "engine --prefix 1024,128 | --prefix: must be 256 to 1048576, not 128",
                "engine --prefix 1000 | --prefix: must be a multiple of 256, not 1000",
                "engine --hit-ratio 0,1.5 | --hit-ratio: must be 0 to 1, not 1.5",
                "engine --prompts 257 | --prompts: must be 1 to 256, not 257",
                "engine --tokens 0 | --tokens: must be 1 to 1024, not 0",
                "engine --rounds 101 | --rounds: must be 1 to 100, not 101",
                "engine --rounds 100 --prompts 100 | --rounds, --prompts, --prefix and --hit-ratio: prompts of all together:"
                        + " must be 1 to 4000, not 60600",
                "engine --memory-gb 0 | --memory-gb: must be 1 to 1024, not 0",
                "engine --vllm dtype=auto | --vllm: dtype=auto is no JSON object",
                "engine --python FOLDER/file | --python: FOLDER/file is no program; name a Python that has vLLM",
                "kill --count 0 | --count: must be 1 to 10000, not 0",
                "kill --count 10001 | --count: must be 1 to 10000, not 10001",
                "kill --json FOLDER | --json: FOLDER is a folder; name a file",
                "control --accounts 999 | --accounts: must be 1000 to 1000000, not 999",
                "control --watchers 0 | --watchers: must be 1 to 2000, not 0",
                "control --outage 86401 | --outage: must be 0 to 86400, not 86401",
                "control --only outage --outage 0 | --outage: 0 leaves out what --only names; leave one of the two out",
                "control --only all | Invalid value for option '--only': must be pages or resolve or watch or outage, not"
                        + " 'all'",
                "fleet --clusters 1 | --clusters: must be 2 to 1000, not 1",
                "fleet --members 99 | --members: must be 100 to 100000, not 99",
                "fleet --seconds 4 | --seconds: must be 5 to 3600, not 4",
                "fleet --pause 3601 | --pause: must be 5 to 3600, not 3601",
                "fleet --json FOLDER | --json: FOLDER is a folder; name a file",
                "sweep --block-bytes 511 | --block-bytes: must be 512 to 16777216, not 511",
                "sweep --stock-blocks 15 | --stock-blocks: must be 16 to 200000, not 15",
                "sweep --rate fast | --rate: cannot be \"fast\"; give iterations a second, 0.1 to 1000000, or a share of the"
                        + " closed loop's peak, 0.1% to 200%",
                "sweep --rate 50%,201% | --rate: cannot be \"201%\"; give iterations a second, 0.1 to 1000000, or a share of"
                        + " the closed loop's peak, 0.1% to 200%",
                "sweep --processes 17 | --processes: must be 1 to 16, not 17",
                "sweep --target 10TB | --target: cannot be \"10TB\"; give iterations a second, as in 2000, bytes, as in"
                        + " 10GB/s, or tokens, as in 500ktok/s or 10Mtok/s",
                "sweep --added-storage-latency 20ms | --added-storage-latency: cannot be \"20ms\"; give one or both of get and put, each"
                        + " 0ms to 60s, as in get=20ms,put=40ms",
                "sweep --data tape | Invalid value for option '--data': must be hot or disk or cold, not 'tape'",
                "sweep --quick --rate 5 | --quick: has its own --rate; leave one of the two out",
                "sweep --endpoint a:1 --key-file FOLDER/none | --key-file: FOLDER/none: no such file or folder",
                "sweep --endpoint 127.0.0.1 --key-file FOLDER/key | --endpoint: endpoints: \"127.0.0.1\" is not"
                        + " host:port; write it like 127.0.0.1:8085 or [::1]:8085",
                "sweep --endpoint 127.0.0.1:1 --storage azurite | --storage: is of a stack of our own; leave it or --endpoint"
                        + " out",
                "sweep --endpoint 127.0.0.1:1 --data cold | --stock-blocks: give more blocks than the service at --endpoint"
                        + " holds in memory, so that they are read from cold",
                "sweep --endpoint 127.0.0.1:1 --slow-server 5 | --slow-server: is of a stack of our own; leave it or --endpoint"
                        + " out",
                "replay --requests 0 | --requests: must be 1 to 1000000000000000, not 0",
                "replay --simulate --capacity-blocks 5,0 | --capacity-blocks: must be 1 to 100000000, not 0",
                "replay --capacity-blocks 5 | without --simulate: has the capacity that --memory-tier-size and --disk-tier-size say; leave out"
                        + " --capacity-blocks",
                "replay --simulate --speedup 2 | --simulate: uses no service; leave out --speedup",
                "replay --quick --requests 2 | --quick: says how many and how fast; leave out --requests",
                "replay --speedup 0 | --speedup: must be 0.1 to 1000000, not 0.0",
                "replay --block-bytes 0 | --block-bytes: must be 1 to 67108864, not 0",
                "replay --at-once 0 | --at-once: must be 1 to 10000, not 0",
                "replay --memory-tier-size much | --memory-tier-size: must be a size such as 512M, not much",
                "replay --endpoint 127.0.0.1:1 | --key-file: is missing; name the file with the API key of the service, or set"
                        + " KV_API_KEY",
                "replay --simulate --slow-server 5 | --simulate: uses no service; leave out --slow-server",
                "replay --endpoint 127.0.0.1:1 --key-file FOLDER/key --slow-server 5 | --endpoint: is as fast as it is; leave out"
                        + " --slow-server",
                "replay --metrics http://127.0.0.1:1/ | --key-file, --metrics: go with --endpoint; a service of its own needs"
                        + " none",
                "replay --trace FOLDER | --trace: FOLDER is not a regular file; name a trace (one JSON object a line, as"
                        + " Mooncake publishes them), or leave the flag out",
                "replay --json FOLDER | --json: FOLDER is a folder; name a file",
                "peers --sizes 511 | --sizes: must be 512 to 16777216, not 511",
                "peers --sizes 512,16777217 | --sizes: must be 512 to 16777216, not 16777217",
                "peers --clients 21 | --clients: must be 1 to 20, not 21",
                "peers --rounds 0 | --rounds: must be 1 to 100, not 0",
                "peers --seconds 3601 | --seconds: must be 1 to 3600, not 3601",
                "peers --slow-server 10001 | --slow-server: must be 0 to 10000, not 10001",
                "peers --warmup 0 | --warmup: must be 1 to 3600, not 0",
                "peers --only memcached | Invalid value for option '--only' (PEER): must be kvstore or kvstore-grpc-java or"
                        + " tls or tls-grpc-java or tcp or grpc or redis or lettuce or nginx, not 'memcached'",
                "peers --json FOLDER | --json: FOLDER is a folder; name a file",
                "limits --rounds 101 | --rounds: must be 1 to 100, not 101",
                "limits --seconds 0 | --seconds: must be 1 to 3600, not 0",
                "limits --warmup 3601 | --warmup: must be 1 to 3600, not 3601",
                "limits --slow-server 10001 | --slow-server: must be 0 to 10000, not 10001",
                "limits --only tape | Invalid value for option '--only' (NAMES): must be write or disk or small or lookup or"
                        + " cold or far or start, not 'tape'",
                "limits --folder FOLDER/file | --folder: FOLDER/file is not a folder",
                "limits --json FOLDER | --json: FOLDER is a folder; name a file",
                "control --json FOLDER | --json: FOLDER is a folder; name a file",
                "fleet --report FOLDER/file | --report: FOLDER/file is not a folder",
                "kill --report FOLDER/file/below | --report: FOLDER/file is not a folder",
            })
    void refusesOtherCommandsInOneSentenceToo(String command, String sentence) throws IOException {
        Files.writeString(folder.resolve("key"), "kv_id_secret");
        int exitCode =
                bench.execute(command.replace("FOLDER", folder.toString()).split(" "));

        assertThat(err.toString().lines())
                .contains("kv bench " + command.substring(0, command.indexOf(' ')) + ": "
                        + sentence.replace("FOLDER", folder.toString()));
        assertThat(exitCode).isEqualTo(2);
    }

    @Test
    void wantsToKnowWhatToMeasure() {
        assertThat(bench.execute()).isEqualTo(2);

        assertThat(err.toString().lines())
                .containsExactly("kv bench: Missing required subcommand", "kv bench --help-all explains every flag");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--version", "sweep --version"})
    void saysItsVersion(String arguments) {
        assertThat(bench.execute(arguments.split(" "))).isZero();

        assertThat(out.toString()).startsWith("KV Store ");
    }

    @Test
    void explainsTheRangesOfItsFlags() {
        assertThat(bench.execute(FirstLook.arguments(bench, new String[] {"sweep", "--help-all"})))
                .isZero();

        assertThat(out.toString().replaceAll("\\s+", " "))
                .contains("closed loop, 1 to 2000", "each step, 1 to 3600", "first step, 1 to 3600", "1 to 100,");
    }

    @Test
    void aFirstLookAtEachCommandFitsAScreen() {
        for (String command : bench.getSubcommands().keySet()) {
            StringWriter page = new StringWriter();
            assertThat(Bench.commandLine().setOut(new PrintWriter(page, true)).execute(command, "--help"))
                    .isZero();

            assertThat(page.toString().lines().toList())
                    .as(command)
                    .isNotEmpty()
                    .hasSizeLessThanOrEqualTo(FirstLook.LINES)
                    .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(FirstLook.COLUMNS));
        }
    }

    @Test
    void helpNamesEachCommandInOneLine() {
        assertThat(bench.execute("--help")).isZero();

        assertThat(out.toString().lines())
                .hasSize(bench.getSubcommands().size() + 3)
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(FirstLook.COLUMNS));
    }
}
