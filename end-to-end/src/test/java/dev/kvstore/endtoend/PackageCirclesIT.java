package dev.kvstore.endtoend;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** In no module do packages need each other in a circle. */
class PackageCirclesIT {
    private static final String SDK = "dev.kvstore.client";

    static List<Path> modules() throws IOException {
        try (Stream<Path> folders = Files.list(Documents.ROOT)) {
            return folders.map(folder -> folder.resolve("target/classes"))
                    .filter(Files::isDirectory)
                    .sorted()
                    .toList();
        }
    }

    private static final SliceAssignment PACKAGES = new SliceAssignment() {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            String name = type.getPackageName();
            return !name.startsWith("dev.kvstore.") ? SliceIdentifier.ignore() : SliceIdentifier.of(name);
        }

        @Override
        public String getDescription() {
            return "packages";
        }
    };

    @ParameterizedTest
    @MethodSource("modules")
    void noPackageNeedsAnotherThatNeedsIt(Path classes) {
        slices().assignedFrom(PACKAGES)
                .should()
                .beFreeOfCycles()
                // An API names the classes that implement it, which have its types.
                .ignoreDependency(resideInAPackage(SDK), resideInAPackage(SDK + ".internal.."))
                .allowEmptyShould(true)
                .check(new ClassFileImporter().importPath(classes));
    }

    @Test
    void everyModuleIsLookedAt() throws Exception {
        assertThat(modules()).hasSizeGreaterThan(14);
    }
}
