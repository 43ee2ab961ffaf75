package dev.kvstore.benchmark.kvcache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.launcher.CommandLines;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ResourceBundle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** {@code kv bench kv-cache}: what is wrong with a command is said in one sentence, before anything starts. */
class KvCacheCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final CommandLine command = CommandLines.of(new KvCacheCommand())
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true));

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private int execute(String flags) {
        return command.execute(("--cpu-mem-gb 0 " + flags.replace("FOLDER", folder.toString())).split(" ", -1));
    }

    /** The cases that the original refuses, of flags that there are, and some of our own. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--num-users 0 | --num-users: must be 1 to 100000, not 0",
                "--num-users -5 | --num-users: must be 1 to 100000, not -5",
                "--num-users 100001 | --num-users: must be 1 to 100000, not 100001",
                "--duration 0 | --duration: must be 1 to 86400, not 0",
                "--duration -10 | --duration: must be 1 to 86400, not -10",
                "--duration 86401 | --duration: must be 1 to 86400, not 86401",
                "--gpu-mem-gb -1 | --gpu-mem-gb: must be 0 to 65536, not -1.0",
                "--gpu-mem-gb 65537 | --gpu-mem-gb: must be 0 to 65536, not 65537.0",
                "--gpu-mem-gb NaN | --gpu-mem-gb: must be 0 to 65536, not NaN",
                "--max-concurrent-allocs -1 | --max-concurrent-allocs: must be 0 to 1000000, not -1",
                "--request-rate -1 | --request-rate: must be 0 to 1000000, not -1.0",
                "--max-requests -1 | --max-requests: must be 0 to 1000000000, not -1",
                "--cache-dir /etc/kv_cache | --cache-dir: /etc/kv_cache is of the system (/etc); name another folder",
                "--cache-dir FOLDER/file | --cache-dir: FOLDER/file is not a folder",
                "--cache-dir FOLDER/none | --cache-dir: FOLDER/none is not there; make it, or mount its disk first",
                "--gpu-mem-gb 16 | --gpu-mem-gb: there is no GPU but a simulated one; add gpu-sim to --tiers, or leave it out",
                "--storage-capacity-gb -1 | --storage-capacity-gb: must be 0 to 1000000000, not -1.0",
                "--precondition-size-gb -1 | --precondition-size-gb: must be 0 to 1000000000, not -1.0",
                "--precondition-threads -1 | --precondition-threads: must be 0 to 10000, not -1",
                "--num-gpus 0 | --num-gpus: must be 1 to 100000, not 0",
                "--tensor-parallel 0 | --tensor-parallel: must be 1 to 1, not 0",
                "--tensor-parallel 4 --num-gpus 2 | --tensor-parallel: must be 1 to 2, not 4",
                "--prefill-only --decode-only | --prefill-only: excludes --decode-only; leave one of the two out",
                "--model gpt-1 | --model: there is no model gpt-1; there are deepseek-v3, gpt-oss-120b, gpt-oss-20b,"
                        + " llama2-7b, llama3.1-70b-instruct, llama3.1-8b, mistral-7b, qwen3-32b, tiny-1b",
                "--generation-mode slow | Invalid value for option '--generation-mode': must be none or fast or realistic, not"
                        + " 'slow'",
                "--tiers cpu | --tiers: must end with disk, kvstore, object or null, not cpu",
                "--tiers disk,cpu | --tiers: must go from the fastest to the slowest, gpu-sim, cpu, then one of disk,"
                        + " kvstore, object and null; not disk,cpu",
                "--tiers disk,null | --tiers: must go from the fastest to the slowest, gpu-sim, cpu, then one of disk,"
                        + " kvstore, object and null; not disk,null",
                "--tiers tape | Invalid value for option '--tiers' (NAMES): must be gpu-sim or cpu or disk or kvstore or"
                        + " object or null, not 'tape'",
                "--cpu-bandwidth-gbs -1 | --cpu-bandwidth-gbs: must be 0.001 to 1000000, not -1.0",
                "--gpu-bandwidth-gbs 0 | --gpu-bandwidth-gbs: must be 0.001 to 1000000, not 0.0",
                "--arrival poisson | --request-rate: must be above 0 with --arrival poisson",
                "--request-rate 5 | --request-rate: users arrive as they think; give --arrival fixed or poisson with it",
                "--compat --arrival fixed --request-rate 5 | --arrival: --compat knows users alone; leave one of the two out",
                "--rag-num-docs -1 | --rag-num-docs: must be 0 to 1000000, not -1",
                "--max-conversations 0 | --max-conversations: must be 1 to 1000000, not 0",
                "--trace-speedup -1 | --trace-speedup: must be 0.000001 to 1000000, not -1.0",
                "--trace-speedup 0 | --trace-speedup: must be 0.000001 to 1000000, not 0.0",
                "--replay-cycles -1 | --replay-cycles: must be 0 to 1000000, not -1",
                "--target-saturation 1.1 | --target-saturation: must be 0.01 to 1, not 1.1",
                "--target-saturation -0.1 | --target-saturation: must be 0.01 to 1, not -0.1",
                "--autoscaler-interval 0 | --autoscaler-interval: must be 1 to 600, not 0",
                "--enable-autoscaling --arrival fixed --request-rate 1 | --enable-autoscaling: excludes --arrival; leave one of"
                        + " the two out",
                "--enable-rag --block-tokens 128 | --enable-rag: excludes --block-tokens; leave one of the two out",
                "--use-burst-trace | --use-burst-trace: needs --burst-trace-path",
                "--burst-trace-path x.csv | --burst-trace-path: needs --use-burst-trace",
                "--use-burst-trace --burst-trace-path FOLDER/none | --burst-trace-path: no CSV file is at FOLDER/none",
                "--dataset-path FOLDER/none | --dataset-path: FOLDER/none: cannot be read",
                "--dataset-path FOLDER/file | --dataset-path: FOLDER/file: line 1: must be a list of {\"id\", \"conversations\":"
                        + " [{\"from\", \"value\"}, up to 10000 of these]}",
                "--dataset-path FOLDER/file --enable-rag | --dataset-path: excludes --enable-rag; leave one of the two out",
                "--dataset-path FOLDER/file --compat | --request-rate: must be above 0 with --compat and --dataset-path: the original"
                        + " sends as many requests as its processor can make",
                "--dataset-path FOLDER/file --use-burst-trace --burst-trace-path FOLDER/file | --dataset-path: excludes"
                        + " --use-burst-trace; leave one of the two out",
                "--warmup -1 | --warmup: must be 0 to 3600, not -1",
                "--drain 3601 | --drain: must be 0 to 3600, not 3601",
                "--output FOLDER | --output: FOLDER is a folder; name a file",
                "--xlsx-output FOLDER/r.ods | --xlsx-output: must end in .xlsx or .csv, not FOLDER/r.ods",
                "--config FOLDER/none | --config: FOLDER/none: cannot be read",
                "--tiering-policy best | Invalid value for option '--tiering-policy': must be waterfall or spillover,"
                        + " not 'best'",
                "--target h:1 | --target: needs the tier kvstore in --tiers",
                "--tiers kvstore --target h:1 --key-file FOLDER/none | --key-file: FOLDER/none: no such file or folder",
                "--tiers kvstore --target h --key-file FOLDER/file | --target: endpoints: \"h\" is not host:port;"
                        + " write it like 127.0.0.1:8085 or [::1]:8085",
                "--tiers kvstore --kvstore-storage tape | Invalid value for option '--kvstore-storage': must be filesystem or"
                        + " azurite, not 'tape'",
                "--blob-container c | --blob-container: needs the tier object in --tiers",
                "--tiers object --blob-container c | --blob-connection-file: is missing; name the file with the connection"
                        + " string, or set AZURE_STORAGE_CONNECTION_STRING",
                "--tiers object --blob-connection-file FOLDER/file | --blob-connection-file: needs --blob-container",
                "--block-tokens 8193 | --block-tokens: must be 0 to 8192, not 8193",
                "--block-tokens 128 --compat | --block-tokens: excludes --compat; leave one of the two out",
                "--block-tokens 128 --decode-only | --block-tokens: excludes --decode-only; leave one of the two out",
                "--block-tokens 128 --tiers cpu,kvstore | --tiers: with --block-tokens kvstore stands alone, since it has tiers"
                        + " of its own; not cpu,kvstore",
                "--block-tokens 256 --tiers kvstore --model llama2-7b | --block-tokens: a block of 256 tokens of llama2-7b has"
                        + " 134217728 bytes; KV Store takes 67108864",
                "--prefill-rate -1 | --prefill-rate: must be 0 to 1000000000, not -1.0",
                "--tiers cpu,null --enable-latency-tracing | --enable-latency-tracing: there is no disk to watch; name disk in --tiers,"
                        + " without --io-trace-log",
                "--validation-trace FOLDER/none | --validation-trace: FOLDER/none: cannot be read",
            })
    void refusesInOneSentence(String flags, String sentence) throws IOException {
        Files.createFile(folder.resolve("file"));

        int exitCode = execute(flags);

        assertThat(err.toString().lines().findFirst().orElse(""))
                .isEqualTo("kv-cache: " + sentence.replace("FOLDER", folder.toString()));
        assertThat(exitCode).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--suite all | Invalid value for option '--suite': must be smoke or mlperf or seed-002 or wrapper, not 'all'",
                "--quick | --quick: needs --suite",
                "--suite mlperf --num-users 5 | --suite: excludes --num-users; leave one of the two out",
                "--suite smoke --compat | --compat: the suite smoke decides on it; leave it out",
                "--suite seed-002 --config c.yaml | --config: c.yaml: cannot be read",
                "--suite mlperf --enable-latency-tracing | --suite: excludes --enable-latency-tracing; leave one of the two out",
                "--suite smoke --validation-trace t.json | --suite: excludes --validation-trace; leave one of the two out",
                "--suite mlperf --tiers cpu,disk | --tiers: of a suite its last tier alone may be named, disk, kvstore, object or"
                        + " null; not cpu,disk",
                "--suite mlperf --model tiny-1b | --model: the suite mlperf decides on it, only wrapper takes one; leave it out",
                "--suite wrapper -w production,none | --workloads: the suite wrapper has no run none; it has gpu-only, cpu-only,"
                        + " storage-only, gpu-cpu, cpu-storage, gpu-cpu-storage, storage-saturation, production, autoscale,"
                        + " capacity-autoscale",
                "-w production | --workloads: needs --suite",
                "--rates 2,1 | --rates: must rise, from above 0 to 1000000, not [2.0, 1.0]",
                "--rates 1,2 --suite smoke | --rates: excludes --suite; leave one of the two out",
                "--rates 1,2 --compat | --rates: excludes --compat; leave one of the two out",
                "--suite smoke --trials 101 | --trials: must be 0 to 100, not 101",
                "--suite smoke --quick --cache-dir /etc/x | --cache-dir: /etc/x is of the system (/etc); name another folder",
            })
    void refusesASuiteInOneSentence(String flags, String sentence) {
        int exitCode = command.execute(flags.split(" ", -1));

        assertThat(err.toString().lines().findFirst().orElse("")).isEqualTo("kv-cache: " + sentence);
        assertThat(exitCode).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({"--cpu-mem-gb, -1, 131072", "--cpu-mem-gb, 131073, 131072"})
    void refusesMemoryOutOfItsRange(String flag, String gib, String most) {
        int exitCode = command.execute(flag, gib);

        assertThat(err.toString()).startsWith("kv-cache: " + flag + ": must be 0 to " + most + ", not " + gib + ".0");
        assertThat(exitCode).isEqualTo(2);
    }

    @Test
    void refusesMoreMemoryThanTheMachineHas() {
        int exitCode = command.execute("--cpu-mem-gb", "131072");

        assertThat(err.toString()).startsWith("kv-cache: --cpu-mem-gb: 131072.0 GiB is more than the ");
        assertThat(exitCode).isEqualTo(2);
    }

    @Test
    void theConfigFileMayLowerLimits() throws IOException {
        Files.writeString(folder.resolve("c.yaml"), "validation_limits: {max_users: 7}");

        execute("--num-users 8 --config FOLDER/c.yaml");

        assertThat(err.toString()).startsWith("kv-cache: --num-users: must be 1 to 7, not 8");
    }

    @Test
    void helpSaysWhatEachFlagDoesAndOfNoOther() {
        assertThat(command.getCommandSpec().options())
                .allSatisfy(option -> assertThat(option.description())
                        .as(option.longestName())
                        .isNotEmpty());
        assertThat(ResourceBundle.getBundle("dev.kvstore.benchmark.kvcache.flags")
                        .keySet())
                .allSatisfy(key -> assertThat(command.getCommandSpec().findOption("--" + key))
                        .isNotNull());
    }

    @Test
    void listsModelsWithThoseOfTheConfigFile() throws IOException {
        Files.writeString(folder.resolve("c.yaml"), "model_configs: {mine: {num_layers: 1}}");

        int exitCode = execute("--list-models --config FOLDER/c.yaml");

        assertThat(out.toString())
                .contains("deepseek-v3", "mine")
                .containsPattern("llama3.1-8b +131,072 +128 +1,024 +3,125");
        assertThat(exitCode).isZero();
    }
}
