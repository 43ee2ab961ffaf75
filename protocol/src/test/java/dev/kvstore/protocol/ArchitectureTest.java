package dev.kvstore.protocol;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
    private static final String OURS = "dev.kvstore.protocol";
    /** Generated packages of any version: no package that is written by hand has such a name. */
    private static final String GENERATED = OURS + "..v1";

    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.kvstore");

    @Test
    void protocolNeedsNothingButGrpcAndProtobuf() {
        classes()
                .that()
                .resideInAPackage(OURS + "..")
                .and()
                .resideOutsideOfPackages(GENERATED)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        OURS + "..",
                        "java..",
                        "javax.security.auth.x500",
                        "com.google.protobuf",
                        "io.grpc",
                        "org.jspecify.annotations")
                .check(MAIN);
    }

    @Test
    void protocolKnowsNoOtherModuleAndNoTransport() {
        noClasses()
                .that()
                .resideInAPackage(OURS + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.kvstore.client..",
                        "dev.kvstore.dataplane..",
                        "dev.kvstore.testing..",
                        "io.netty..",
                        "io.grpc.netty..",
                        "io.quarkus..",
                        "io.vertx..")
                .check(MAIN);
    }

    @Test
    void identityKnowsNeitherFormatNorWireAndFormatKnowsNoWire() {
        noClasses()
                .that()
                .resideInAPackage(OURS + ".block")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(OURS + ".format", OURS + ".wire", GENERATED)
                .check(MAIN);
        noClasses()
                .that()
                .resideInAPackage(OURS + ".format")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(OURS + ".wire", GENERATED)
                .check(MAIN);
    }

    @Test
    void everyPackageWrittenByHandIsNullMarked() {
        List<JavaPackage> packages = MAIN.getPackage(OURS).getSubpackagesInTree().stream()
                .filter(p -> !p.getName().endsWith(".v1") && !p.getClasses().isEmpty())
                .toList();

        assertThat(packages)
                .extracting(JavaPackage::getName)
                .containsExactlyInAnyOrder(
                        OURS + ".block",
                        OURS + ".format",
                        OURS + ".heat",
                        OURS + ".host",
                        OURS + ".purge",
                        OURS + ".tls",
                        OURS + ".wire");
        assertThat(packages).allMatch(p -> p.isAnnotatedWith(NullMarked.class));
    }
}
