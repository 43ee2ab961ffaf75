package dev.kvstore.client;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasModifiers.Predicates.modifier;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.codeUnits;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.HashSet;
import java.util.Set;
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

    /** Libraries have other names in the jar for applications, which may have their own versions of them. */
    @Test
    void noPublicSignatureHasATypeOfALibraryThatIsInTheJar() {
        JavaClasses api = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("dev.kvstore.client", "dev.kvstore.protocol.block");

        codeUnits()
                .that()
                .areDeclaredInClassesThat()
                .arePublic()
                .and(modifier(JavaModifier.PUBLIC).or(modifier(JavaModifier.PROTECTED)))
                .and()
                .areDeclaredInClassesThat()
                .resideInAnyPackage(
                        "dev.kvstore.client",
                        "dev.kvstore.client.micrometer",
                        "dev.kvstore.client.opentelemetry",
                        "dev.kvstore.protocol.block")
                .should(new ArchCondition<>("have no type of gRPC, protobuf or Netty") {
                    @Override
                    public void check(JavaCodeUnit member, ConditionEvents events) {
                        Set<JavaClass> types =
                                new HashSet<>(member.getReturnType().getAllInvolvedRawTypes());
                        member.getParameterTypes().forEach(type -> types.addAll(type.getAllInvolvedRawTypes()));
                        member.getExceptionTypes().forEach(type -> types.addAll(type.getAllInvolvedRawTypes()));
                        for (JavaClass type : types) {
                            if (resideInAnyPackage("io.grpc..", "com.google..", "io.netty..")
                                    .test(type)) {
                                events.add(SimpleConditionEvent.violated(
                                        member, member.getFullName() + " has " + type.getFullName()));
                            }
                        }
                    }
                })
                .check(api);
    }
}
