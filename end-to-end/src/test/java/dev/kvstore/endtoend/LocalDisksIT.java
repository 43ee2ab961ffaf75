package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kvstore.launcher.Home;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code deploy/machine/kv-disk}, with programs that say what they would do to disks. */
class LocalDisksIT {
    private static final Path SCRIPT = Home.current().path().resolve("deploy/machine/kv-disk");
    private static final String LOCAL = "Microsoft NVMe Direct Disk v2";
    private static final String OF_A_STORAGE_ACCOUNT = "MSFT NVMe Accelerator v1.0";

    @TempDir
    Path folder;

    private Path told;

    @BeforeEach
    void standIn() throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"), "missing: root, who makes devices");
        told = folder.resolve("told");
        Files.createDirectory(folder.resolve("bin"));
        program("mountpoint", "exit 1");
        program("blkid", "exit 0");
        program("chattr", "exit 0");
        program("chown", "exit 0");
        program("mkfs.xfs", "[ \"${2##*/}\" != bad ] && echo \"mkfs ${2##*/}\" >> " + told);
        program("mount", "echo \"mount ${3##*/} ${4##*/}\" >> " + told);
    }

    @Test
    void localDisksAreFoundByTheirModelInTheOrderOfTheirAddresses() throws Exception {
        controller("nvme0", OF_A_STORAGE_ACCOUNT, "0001:00:00.0");
        controller("nvme1", LOCAL, "0003:00:00.0");
        controller("nvme2", LOCAL, "0002:00:00.0");

        assertThat(run("local/1", "one", "local/2", "two")).isEmpty();

        assertThat(told).hasContent("mkfs nvme2n1\nmount nvme2n1 one\nmkfs nvme1n1\nmount nvme1n1 two\n");
    }

    @Test
    void namesOfAzuresOwnRulesComeFirst() throws Exception {
        controller("nvme1", LOCAL, "0003:00:00.0");
        Path names = Files.createDirectories(folder.resolve("root/dev/disk/azure/local/by-index"));
        device(names.resolve("1"));

        assertThat(run("local/1", "one")).isEmpty();

        assertThat(told).hasContent("mkfs 1\nmount 1 one\n");
    }

    @Test
    void aDiskThatCannotBeUsedIsLeftOutAndTheOthersAreMounted() throws Exception {
        Path bad = device(folder.resolve("root/dev/bad"));
        Path good = device(folder.resolve("root/dev/good"));

        assertThat(run(bad.toString(), "one", "local/7", "two", good.toString(), "three"))
                .contains("bad is left out", "local/7 is left out", "exit code 1");

        assertThat(told).hasContent("mkfs good\nmount good three\n");
    }

    private void controller(String name, String model, String address) throws Exception {
        Path controller =
                Files.createDirectories(folder.resolve("root/sys/class/nvme").resolve(name));
        Files.writeString(controller.resolve("model"), model + "\n");
        Files.writeString(controller.resolve("address"), address + "\n");
        device(folder.resolve("root/dev").resolve(name + "n1"));
    }

    private Path device(Path file) throws Exception {
        Files.createDirectories(file.getParent());
        // Block devices of no driver: nobody reads or writes them.
        assertThat(GoTool.run(folder, Map.of(), List.of("mknod", file.toString(), "b", "240", "0")))
                .isEmpty();
        return file;
    }

    private void program(String name, String script) throws Exception {
        Path file = Files.writeString(folder.resolve("bin").resolve(name), "#!/bin/sh\n" + script + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private String run(String... words) throws Exception {
        String[] command = new String[words.length + 1];
        command[0] = SCRIPT.toString();
        for (int i = 0; i < words.length; i++) {
            command[i + 1] = i % 2 == 0 ? words[i] : folder.resolve(words[i]).toString();
        }
        return GoTool.run(
                folder,
                Map.of(
                        "KV_ROOT",
                        folder.resolve("root").toString(),
                        "PATH",
                        folder.resolve("bin") + ":" + System.getenv("PATH")),
                List.of(command));
    }
}
