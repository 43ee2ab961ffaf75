package dev.kvstore.testing.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.classfile.Annotation;
import java.lang.classfile.ClassFile;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.constant.ClassDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestModuleTest {
    private static final ClassDesc QUARKUS_TEST = ClassDesc.of("io.quarkus.test.junit.QuarkusTest");

    @TempDir
    Path folder;

    private Path classes;

    @BeforeEach
    void aModule() throws Exception {
        classes = Files.createDirectories(folder.resolve("target/test-classes"));
        Files.writeString(folder.resolve("target/test-classpath.txt"), "library.jar");
    }

    @Test
    void runsTestsOfOneApplicationInOneGoAndEveryOtherClassOnItsOwn() throws Exception {
        write("FirstTest", "java.lang.Object", QUARKUS_TEST);
        write("PlainTest", "java.lang.Object", ClassDesc.of("org.junit.jupiter.api.Tag"));
        write("OtherIT", "java.lang.Object", ClassDesc.of("org.junit.jupiter.api.Tag"));
        write("SecondTest", "java.lang.Object", QUARKUS_TEST);

        assertThat(units())
                .containsExactly(List.of("OtherIT"), List.of("PlainTest"), List.of("FirstTest", "SecondTest"));
    }

    @Test
    void takesTheAnnotationOfASuperclassForTheClassesOwn() throws Exception {
        write("Base", "java.lang.Object", QUARKUS_TEST);
        write("FirstTest", "Base", ClassDesc.of("org.junit.jupiter.api.Tag"));
        write("SecondTest", "Base", ClassDesc.of("org.junit.jupiter.api.Tag"));

        assertThat(units()).containsExactly(List.of("FirstTest", "SecondTest"));
    }

    private List<List<String>> units() throws Exception {
        TestModule module = TestModule.read(folder);
        return module.inUnits(module.classes());
    }

    private void write(String name, String superclass, ClassDesc annotation) throws Exception {
        ClassFile.of()
                .buildTo(
                        classes.resolve(name + ".class"),
                        ClassDesc.of(name),
                        built -> built.withSuperclass(ClassDesc.of(superclass))
                                .with(RuntimeVisibleAnnotationsAttribute.of(Annotation.of(annotation))));
    }
}
