package dev.kvstore.testing.run;

import java.io.IOException;
import java.lang.classfile.Annotation;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Finds the test classes that run inside a Quarkus application, without loading them. */
final class ApplicationTests {
    private static final String QUARKUS_ANNOTATIONS = "Lio/quarkus/test/junit/Quarkus";

    private ApplicationTests() {}

    /**
     * Whether this class, or a superclass of the same folder, has one of Quarkus' annotations for test classes.
     *
     * @param tests the folder of compiled tests
     * @param className the full name
     * @throws IOException if a class file cannot be read
     */
    static boolean contains(Path tests, String className) throws IOException {
        Path file = tests.resolve(className.replace('.', '/') + ".class");
        while (Files.exists(file)) {
            ClassModel read = ClassFile.of().parse(Files.readAllBytes(file));
            if (annotations(read).anyMatch(name -> name.startsWith(QUARKUS_ANNOTATIONS))) {
                return true;
            }
            file = tests.resolve(read.superclass().orElseThrow().asInternalName() + ".class");
        }
        return false;
    }

    private static Stream<String> annotations(ClassModel read) {
        List<Annotation> visible = read.findAttribute(Attributes.runtimeVisibleAnnotations())
                .map(attribute -> attribute.annotations())
                .orElse(List.of());
        return visible.stream().map(annotation -> annotation.className().stringValue());
    }
}
