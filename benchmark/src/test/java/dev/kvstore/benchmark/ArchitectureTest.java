package dev.kvstore.benchmark;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** What of the data plane is looked into. */
final class ArchitectureTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.kvstore.benchmark");

    @Test
    void onlyTheReplayLooksIntoTheDataPlane() {
        noClasses()
                .that()
                .resideOutsideOfPackage("..benchmark.replay..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.kvstore.dataplane..")
                .check(CLASSES);
    }

    @Test
    void andItSeesThePolicyOfTiersAlone() {
        noClasses()
                .that()
                .resideInAPackage("..benchmark.replay..")
                .should()
                .dependOnClassesThat(DescribedPredicate.and(
                        JavaClass.Predicates.resideInAPackage("dev.kvstore.dataplane.."),
                        JavaClass.Predicates.resideOutsideOfPackage("dev.kvstore.dataplane.tier.policy")))
                .check(CLASSES);
    }
}
