package dev.kvstore.client;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
    private static final JavaClasses ALL = new ClassFileImporter().importPackages("dev.kvstore");

    @Test
    void internalIsNobodyElses() {
        classes()
                .that()
                .resideInAPackage("dev.kvstore.client.internal..")
                .should()
                .onlyBeAccessed()
                .byAnyPackage("dev.kvstore.client..")
                .check(ALL);
    }

    @Test
    void theClientKnowsOnlyProtocolAndTransport() {
        noClasses()
                .that()
                .resideInAPackage("dev.kvstore.client..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.quarkus..", "io.vertx..", "dev.kvstore.dataplane..", "com.azure..")
                .check(ALL);
    }
}
