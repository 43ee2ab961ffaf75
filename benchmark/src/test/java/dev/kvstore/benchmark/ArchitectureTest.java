package dev.kvstore.benchmark;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Packages of the data plane and of the SDK that the benchmark may use. */
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
    void theRoomsOfTheKvCacheBenchmarkFormNoCircle() {
        slices().matching("dev.kvstore.benchmark.kvcache.(*)..")
                .should()
                .beFreeOfCycles()
                .check(CLASSES);
    }

    @Test
    void theReplaySeesThePolicyOfTiersAlone() {
        noClasses()
                .that()
                .resideInAPackage("..benchmark.replay..")
                .should()
                .dependOnClassesThat(DescribedPredicate.and(
                        JavaClass.Predicates.resideInAPackage("dev.kvstore.dataplane.."),
                        JavaClass.Predicates.resideOutsideOfPackage("dev.kvstore.dataplane.tier.policy")))
                .check(CLASSES);
    }

    @Test
    void nobodyLooksIntoTheSdk() {
        JavaClasses all = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("dev.kvstore");

        classes()
                .that()
                .resideInAPackage("dev.kvstore.client.internal..")
                .should()
                .onlyHaveDependentClassesThat(JavaClass.Predicates.resideInAPackage("dev.kvstore.client.."))
                .check(all);
    }
}
