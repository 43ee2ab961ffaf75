package dev.kvstore.terraform.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.kvstore.launcher.Home;
import dev.kvstore.terraform.check.FolderCheck.FolderFindings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Every module and every example, as {@code kv terraform check} checks them. */
@Tag("slow")
class ModulesTest {
    private static final Path CHECKOUT = Home.current().path();

    private static Workshop workshop;

    @BeforeAll
    static void open() throws IOException, InterruptedException {
        assumeTrue(Terraform.isInstalled(), "missing: terraform, of https://developer.hashicorp.com/terraform");
        workshop = Workshop.open();
    }

    @AfterAll
    static void close() {
        if (workshop != null) {
            workshop.close();
        }
    }

    @TestFactory
    Stream<DynamicTest> isGood() throws IOException {
        return Folders.all(CHECKOUT.resolve("terraform")).stream()
                .map(name -> dynamicTest(name, () -> {
                    FolderFindings outcome = new FolderCheck(workshop, CHECKOUT, name).run();
                    assumeFalse(outcome.skipped(), outcome.summary());
                    assertThat(outcome.problems()).as(name).isEmpty();
                }));
    }
}
