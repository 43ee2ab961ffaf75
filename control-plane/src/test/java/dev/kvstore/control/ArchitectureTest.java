package dev.kvstore.control;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.kvstore.control.resolve.ChangeFeed;
import dev.kvstore.control.security.AcceptedTokens;
import org.junit.jupiter.api.Test;

/** The packages of the control plane. */
final class ArchitectureTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.kvstore.control");

    @Test
    void noPackageNeedsAnotherThatNeedsIt() {
        slices().matching("dev.kvstore.control.(*)..")
                .should()
                .beFreeOfCycles()
                // Join tokens let a data plane watch the feed, which in turn says that a join token was revoked.
                .ignoreDependency(AcceptedTokens.class, ChangeFeed.class)
                .ignoreDependency(AcceptedTokens.class, ChangeFeed.Hearer.class)
                .check(CLASSES);
    }
}
