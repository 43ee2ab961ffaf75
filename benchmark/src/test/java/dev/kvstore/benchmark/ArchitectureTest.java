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

    private static final DescribedPredicate<JavaClass> SIMULATION =
            JavaClass.Predicates.resideInAPackage("..benchmark.affinity..");

    @Test
    void onlyTheReplayAndPresenceLookIntoTheDataPlane() {
        noClasses()
                .that()
                .resideOutsideOfPackages("..benchmark.replay..", "..benchmark.presence..")
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
        seesAlone("..benchmark.replay..", "dev.kvstore.dataplane.tier.policy");
    }

    @Test
    void presenceSeesSnapshotsAloneAndWhereTheyLie() {
        seesAlone(
                "..benchmark.presence..",
                "dev.kvstore.dataplane.presence.snapshot",
                "dev.kvstore.dataplane.storage..",
                "dev.kvstore.dataplane.memory");
    }

    /** But the simulation of routing, which runs the SDK's own choice: it is built with the SDK, in one version. */
    @Test
    void nobodyLooksIntoTheSdk() {
        JavaClasses all = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("dev.kvstore");

        classes()
                .that()
                .resideInAPackage("dev.kvstore.client.internal..")
                .should()
                .onlyHaveDependentClassesThat(DescribedPredicate.or(
                        JavaClass.Predicates.resideInAPackage("dev.kvstore.client.."), SIMULATION))
                .check(all);
        noClasses()
                .that(SIMULATION)
                .should()
                .dependOnClassesThat(DescribedPredicate.and(
                        JavaClass.Predicates.resideInAPackage("dev.kvstore.client.internal.."),
                        JavaClass.Predicates.resideOutsideOfPackage("dev.kvstore.client.internal.routing")))
                .check(all);
    }

    private static void seesAlone(String who, String... rooms) {
        noClasses()
                .that()
                .resideInAPackage(who)
                .should()
                .dependOnClassesThat(DescribedPredicate.and(
                        JavaClass.Predicates.resideInAPackage("dev.kvstore.dataplane.."),
                        JavaClass.Predicates.resideOutsideOfPackages(rooms)))
                .check(CLASSES);
    }
}
