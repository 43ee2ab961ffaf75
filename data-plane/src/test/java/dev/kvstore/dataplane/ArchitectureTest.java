package dev.kvstore.dataplane;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The packages that a package may use. */
final class ArchitectureTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.kvstore.dataplane");

    @Test
    void ratesAndMetricsKnowNothingOfTheDataPath() {
        noClasses()
                .that()
                .resideInAnyPackage("..dataplane.rate..", "..dataplane.metrics..")
                .should()
                .dependOnClassesThat(DescribedPredicate.and(
                        JavaClass.Predicates.resideInAPackage("..dataplane.."),
                        JavaClass.Predicates.resideOutsideOfPackages("..dataplane.rate..", "..dataplane.metrics..")))
                .check(CLASSES);
    }

    @Test
    void callsGoDownTheDataPath() {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("server")
                .definedBy("..dataplane.server..")
                .layer("cluster")
                .definedBy("..dataplane.cluster..")
                .layer("service")
                .definedBy("..dataplane.service..")
                .layer("call")
                .definedBy("..dataplane.call..")
                .layer("warming")
                .definedBy("..dataplane.warming..")
                .layer("purge")
                .definedBy("..dataplane.purge..")
                .layer("region")
                .definedBy("..dataplane.region..")
                .layer("jobs")
                .definedBy("..dataplane.jobs..")
                .layer("heat")
                .definedBy("..dataplane.heat..")
                .layer("presence")
                .definedBy("..dataplane.presence..")
                .layer("tier")
                .definedBy("..dataplane.tier..")
                .layer("block")
                .definedBy("..dataplane.block..")
                .layer("account")
                .definedBy("..dataplane.account..")
                .layer("storage")
                .definedBy("..dataplane.storage..")
                .layer("wire")
                .definedBy("..dataplane.wire..")
                .layer("memory")
                .definedBy("..dataplane.memory..")
                .whereLayer("server")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("cluster")
                .mayOnlyBeAccessedByLayers("server")
                .whereLayer("service")
                .mayOnlyBeAccessedByLayers("server", "cluster")
                .whereLayer("call")
                .mayOnlyBeAccessedByLayers("server", "cluster", "service")
                .whereLayer("warming")
                .mayOnlyBeAccessedByLayers("server")
                .whereLayer("purge")
                .mayOnlyBeAccessedByLayers("server")
                .whereLayer("region")
                .mayOnlyBeAccessedByLayers("server", "service", "warming")
                .whereLayer("heat")
                .mayOnlyBeAccessedByLayers("server", "service")
                .whereLayer("jobs")
                .mayOnlyBeAccessedByLayers("warming", "purge", "heat")
                .whereLayer("presence")
                .mayOnlyBeAccessedByLayers("server", "cluster", "warming", "service", "region", "purge")
                .whereLayer("tier")
                .mayOnlyBeAccessedByLayers("server", "cluster", "warming", "service", "region", "presence", "purge")
                .whereLayer("block")
                .mayOnlyBeAccessedByLayers(
                        "server", "cluster", "warming", "service", "region", "heat", "presence", "tier", "purge")
                .whereLayer("account")
                .mayOnlyBeAccessedByLayers(
                        "server",
                        "cluster",
                        "warming",
                        "service",
                        "region",
                        "heat",
                        "presence",
                        "tier",
                        "block",
                        "purge",
                        "jobs",
                        "call")
                .whereLayer("storage")
                .mayOnlyBeAccessedByLayers(
                        "server",
                        "cluster",
                        "warming",
                        "service",
                        "region",
                        "presence",
                        "tier",
                        "block",
                        "account",
                        "purge",
                        "call")
                .whereLayer("wire")
                .mayOnlyBeAccessedByLayers("server", "call", "service")
                .check(CLASSES);
    }

    @Test
    void onlyTheProcessKnowsQuarkus() {
        noClasses()
                .that()
                .resideOutsideOfPackage("..dataplane.server..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.quarkus..", "io.vertx..", "jakarta..", "picocli..")
                .check(CLASSES);
    }

    @Test
    void onlyItsBackendKnowsAzure() {
        noClasses()
                .that()
                .resideOutsideOfPackage("..storage.azure..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.azure..")
                .check(CLASSES);
    }

    @Test
    void theDataPlaneSeesNoRegistryAndNoDatabase() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.kvstore.accounts..",
                        "dev.kvstore.clusters..",
                        "dev.kvstore.control..",
                        "dev.kvstore.admin..",
                        "java.sql..",
                        "jakarta.persistence..")
                .check(CLASSES);
    }
}
