package dev.kvstore.accounts;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Dependencies that the packages of the account registry may have. */
final class ArchitectureTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.kvstore.accounts");

    @Test
    void onlyResourcesKnowHttp() {
        noClasses()
                .that()
                .haveSimpleNameNotEndingWith("Resource")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("jakarta.ws.rs..")
                .check(CLASSES);
    }

    @Test
    void nothingThatIsChangedNeedsWhatIsReadForDataPlanes() {
        classes()
                .that()
                .resideInAPackage("..accounts.resolve..")
                .should()
                .onlyHaveDependentClassesThat()
                .resideInAPackage("..accounts.resolve..")
                .check(CLASSES);
    }
}
