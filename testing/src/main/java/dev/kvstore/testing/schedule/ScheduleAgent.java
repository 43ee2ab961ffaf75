package dev.kvstore.testing.schedule;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.pastalab.fray.instrumentation.base.ApplicationCodeTransformer;

/**
 * Instruments classes for Fray as they are loaded: all accesses of the product to memory that threads may share, and
 * the locks and volatile fields of libraries.
 */
public final class ScheduleAgent {
    private static final String PRODUCT = "dev/kvstore/";

    private static volatile boolean here;

    private ScheduleAgent() {}

    /** Whether this JVM was started with this agent. */
    static boolean isHere() {
        return here;
    }

    /** The JVM calls this before {@code main}. */
    public static void premain(String arguments, Instrumentation instrumentation) {
        here = true;
        ApplicationCodeTransformer memory = new ApplicationCodeTransformer(true, List.of());
        ApplicationCodeTransformer locks = new ApplicationCodeTransformer(false, List.of());
        instrumentation.addTransformer(new ClassFileTransformer() {
            @Override
            public byte @Nullable [] transform(
                    ClassLoader loader,
                    String name,
                    @Nullable Class<?> redefined,
                    ProtectionDomain domain,
                    byte[] content) {
                // A hidden class has no name here.
                return name == null
                        ? null
                        : (name.startsWith(PRODUCT) ? memory : locks)
                                .transform(loader, name, redefined, domain, content);
            }
        });
    }
}
