package dev.kvstore.client;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Dependencies that the SDK may have. The benchmark has the rule that no other module uses its internals. */
class ArchitectureTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.kvstore.client");

    @Test
    void theClientKnowsOnlyProtocolAndTransport() {
        classes()
                .that()
                .resideInAPackage("dev.kvstore.client..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.kvstore.client..",
                        "dev.kvstore.protocol..",
                        "java..",
                        "javax.net.ssl..",
                        "io.grpc..",
                        "io.netty..",
                        "com.google.protobuf..",
                        "com.google.rpc..",
                        "org.slf4j..",
                        "org.jspecify.annotations..",
                        // Of the packages below, which an application without these libraries does not load.
                        "io.micrometer..",
                        "io.opentelemetry..")
                .check(CLASSES);
    }

    @Test
    void librariesOfMetersAreKnownWhereTheyAreWantedAlone() {
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.kvstore.client.micrometer..", "dev.kvstore.client.opentelemetry..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.micrometer..", "io.opentelemetry..")
                .check(CLASSES);
    }
}
