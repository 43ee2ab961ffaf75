package dev.kvstore.terraform.check;

import dev.kvstore.launcher.CommandLines;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.settings.Version;
import dev.kvstore.terraform.azurerm.AzurermBinary;
import dev.kvstore.terraform.azurerm.RealAzurerm;
import dev.kvstore.terraform.azurerm.RealAzurerm.Comparison;
import dev.kvstore.terraform.check.FolderCheck.FolderFindings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kv terraform check}: checks modules and examples without Azure and without a registry. */
@Command(
        name = "kv terraform check",
        description = {
            "Checks Terraform modules and examples without Azure and without a registry: layout, format, names and types of"
                    + " arguments, values that azurerm refuses, tests, and READMEs.",
            "azurerm is stood in for: its schema is made of an npm package, loaded once. Resources are mocked by the tests."
        },
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
public final class CheckCommand implements Callable<Integer> {
    // Terraform and the stand-in both work; one more than this waits for the other's answers.
    private static final int AT_A_TIME = Math.clamp(Runtime.getRuntime().availableProcessors(), 1, 4);

    @Parameters(
            paramLabel = "DIR",
            arity = "0..*",
            description = "Folders such as terraform/modules/region. Default: all modules and examples.")
    private List<Path> folders = List.of();

    @Option(
            names = "--azurerm",
            paramLabel = "FILE",
            description = {
                "Checks with this azurerm, such as terraform-provider-azurerm_v4.73.0_x5, instead of the stand-in, and compares"
                        + " the stand-in with it. Needs no account: resources are mocked."
            })
    private @Nullable Path azurerm;

    @Option(names = "--write", description = "Writes the READMEs of the modules, and checks nothing.")
    private boolean write;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    CheckCommand() {}

    public static void main(String[] arguments) {
        System.exit(CommandLines.execute(CommandLines.of(new CheckCommand()), arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path checkout = Home.current().path();
        List<String> names = names(checkout.resolve("terraform"));
        if (write) {
            return writeReadMes(checkout, names);
        }
        if (azurerm != null) {
            AzurermBinary.require(azurerm);
        }
        if (!Terraform.isInstalled()) {
            throw new LaunchException(
                    "terraform is not on the PATH: install Terraform 1.11 or newer from https://developer.hashicorp.com/terraform");
        }
        List<FolderFindings> outcomes = check(checkout, names);
        long bad = outcomes.stream().filter(outcome -> !outcome.isGood()).count();
        PrintWriter out = spec.commandLine().getOut();
        out.println(bad == 0 ? "All good." : bad + " of " + outcomes.size() + " have problems.");
        out.flush();
        return bad == 0 ? 0 : 1;
    }

    private int writeReadMes(Path checkout, List<String> names) throws IOException {
        for (String name : names) {
            if (name.startsWith("modules/")) {
                ReadMe.of(checkout.resolve("terraform").resolve(name)).write();
            }
        }
        return 0;
    }

    private List<FolderFindings> check(Path checkout, List<String> names) throws IOException, InterruptedException {
        List<FolderFindings> outcomes = new ArrayList<>();
        Path binary = azurerm;
        try (Workshop workshop = binary == null ? Workshop.open() : Workshop.openWith(binary);
                ExecutorService threads = Executors.newFixedThreadPool(
                        AT_A_TIME, Thread.ofVirtual().factory())) {
            List<Future<FolderFindings>> running = new ArrayList<>();
            for (String name : names) {
                running.add(threads.submit(() -> new FolderCheck(workshop, checkout, name).run()));
            }
            for (Future<FolderFindings> future : running) {
                FolderFindings outcome = future.get();
                print(outcome);
                outcomes.add(outcome);
            }
            if (binary != null && folders.isEmpty()) {
                FolderFindings outcome = standIn(workshop);
                print(outcome);
                outcomes.add(outcome);
            }
        } catch (ExecutionException e) {
            throw new LaunchException(String.valueOf(e.getCause()), e);
        }
        return outcomes;
    }

    private static FolderFindings standIn(Workshop workshop) throws IOException, InterruptedException {
        Comparison comparison =
                RealAzurerm.compare(workshop.azurerm(), workshop.copy().types());
        return new FolderFindings(
                "the stand-in",
                comparison.rules() + " rules and " + comparison.schemas() + " schemas compared, "
                        + comparison.differences().size() + " differences",
                comparison.differences(),
                false);
    }

    private void print(FolderFindings outcome) {
        PrintWriter out = spec.commandLine().getOut();
        out.printf("%-32s %s%n", outcome.name(), outcome.summary());
        outcome.problems().forEach(problem -> out.println("  " + problem.replace("\n", "\n  ")));
        out.flush();
    }

    /** Names of the folders to check, as {@code modules/region}. */
    private List<String> names(Path terraform) throws IOException {
        List<String> all = Folders.all(terraform);
        if (folders.isEmpty()) {
            return all;
        }
        List<String> chosen = new ArrayList<>();
        for (Path folder : folders) {
            Path absolute = folder.toAbsolutePath().normalize();
            String name = absolute.startsWith(terraform)
                    ? terraform.relativize(absolute).toString().replace('\\', '/')
                    : folder.toString();
            if (!all.contains(name)) {
                throw new IllegalArgumentException(
                        folder + " is none of the modules and examples: " + String.join(", ", all));
            }
            chosen.add(name);
        }
        return chosen;
    }
}
