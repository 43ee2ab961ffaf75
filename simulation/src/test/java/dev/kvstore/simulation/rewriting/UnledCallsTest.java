package dev.kvstore.simulation.rewriting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.client.KvClient;
import dev.kvstore.clusters.lease.Leases;
import dev.kvstore.control.purge.PurgeKeeper;
import dev.kvstore.dataplane.presence.Presence;
import dev.kvstore.listener.CallerConnection;
import dev.kvstore.protocol.block.BlockChain;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** A call of the product that no substitute stands for, and that asks for real time, threads or randomness. */
final class UnledCallsTest {
    /** Rooms of the product that a history does not enter. */
    private static final Pattern ELSEWHERE =
            Pattern.compile("dev/kvstore/dataplane/(server|warming|storage/(azure|filesystem))/.*"
                    + "|dev/kvstore/dataplane/account/control/(?!ControlPlane|FollowedToken|JoinToken|OwnSecret).*"
                    + "|dev/kvstore/dataplane/account/control/ControlPlaneAccountResolver.*"
                    + "|dev/kvstore/control/(database|failover|heat|metrics|rest|route|server|warming)/.*"
                    + "|dev/kvstore/dataplane/rate/Recurring\\.class"
                    + "|dev/kvstore/metrics/.*"
                    + "|dev/kvstore/client/internal/ClientTls.*"
                    + "|dev/kvstore/control/resolve/(?!CallFailure|Invalid|OneMessage|Reported|StorageEncoder).*");

    private static final Pattern CLOCKS = Pattern.compile(
            "java/lang/System\\.(nanoTime|currentTimeMillis)\\(.*|java/time/\\w+\\.now\\(\\).*|java/time/\\w+\\.system\\w*\\(.*");
    private static final Pattern RANDOMNESS = Pattern.compile(
            "java/util/concurrent/ThreadLocalRandom\\.(?!current).*|java/util/UUID\\.randomUUID.*|java/lang/Math\\.random.*");
    private static final Pattern THREADS = Pattern.compile(
            "java/util/concurrent/Executors\\.new.*"
                    + "|java/lang/Thread\\.startVirtualThread.*|java/lang/Thread\\$Builder\\S*\\.(start|unstarted|factory)\\(.*");
    private static final Pattern WAITS = Pattern.compile(
            "java/util/concurrent/.*\\(.*JLjava/util/concurrent/TimeUnit;.*|java/lang/Thread\\.(sleep|join)\\(.+\\).*"
                    + "|java/util/concurrent/locks/LockSupport\\.park(Nanos|Until).*|java/lang/Object\\.wait\\(J.*");
    private static final Pattern ORDERS = Pattern.compile(
            "java/util/(Set|Map)\\.(of|copyOf|ofEntries)\\(.*|java/util/stream/Collectors\\.toUnmodifiable(Set|Map).*");

    /** Sets and maps of at most one entry have one order; converting a time waits for nobody. */
    private static final Pattern HARMLESS = Pattern.compile(
            "java/util/Set\\.of\\((Ljava/lang/Object;)?\\).*"
                    + "|java/util/Map\\.of\\((Ljava/lang/Object;Ljava/lang/Object;)?\\).*|java/util/concurrent/TimeUnit\\.convert.*");

    private final Substitutes substitutes = new Substitutes();

    @ParameterizedTest
    @ValueSource(
            classes = {
                Presence.class,
                CallerConnection.class,
                BlockChain.class,
                KvClient.class,
                Leases.class,
                PurgeKeeper.class
            })
    void thereIsNone(Class<?> ofModule) throws Exception {
        Set<String> unled = new TreeSet<>();
        for (byte[] type : classes(ofModule)) {
            new ClassReader(type).accept(new LedCalls(unled), ClassReader.SKIP_DEBUG);
        }

        assertThat(unled).isEmpty();
    }

    private static List<byte[]> classes(Class<?> ofModule) throws Exception {
        URI place = ofModule.getProtectionDomain().getCodeSource().getLocation().toURI();
        Path path = Path.of(place);
        if (Files.isDirectory(path)) {
            return classes(path);
        }
        try (FileSystem jar = FileSystems.newFileSystem(path)) {
            return classes(jar.getPath("/"));
        }
    }

    private static List<byte[]> classes(Path root) throws IOException {
        List<byte[]> types = new ArrayList<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file :
                    files.filter(file -> file.toString().endsWith(".class")).toList()) {
                String name = root.relativize(file).toString();
                if (name.startsWith("dev/kvstore/") && !ELSEWHERE.matcher(name).matches()) {
                    try (InputStream in = Files.newInputStream(file)) {
                        types.add(in.readAllBytes());
                    }
                }
            }
        }
        return types;
    }

    private final class LedCalls extends ClassVisitor {
        private final Set<String> unled;
        private String name = "";

        LedCalls(Set<String> unled) {
            super(Opcodes.ASM9);
            this.unled = unled;
        }

        @Override
        public void visit(
                int version,
                int access,
                String type,
                @Nullable String signature,
                @Nullable String parent,
                String @Nullable [] interfaces) {
            this.name = type;
        }

        @Override
        public MethodVisitor visitMethod(
                int access,
                String method,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            return new MethodVisitor(Opcodes.ASM9) {
                @Override
                public void visitMethodInsn(int opcode, String owner, String called, String of, boolean isInterface) {
                    look(owner, called, of, opcode == Opcodes.INVOKESTATIC);
                }

                @Override
                public void visitInvokeDynamicInsn(String called, String of, Handle bootstrap, Object... arguments) {
                    for (Object argument : arguments) {
                        if (argument instanceof Handle handle) {
                            look(
                                    handle.getOwner(),
                                    handle.getName(),
                                    handle.getDesc(),
                                    handle.getTag() == Opcodes.H_INVOKESTATIC);
                        }
                    }
                }
            };
        }

        private void look(String owner, String called, String of, boolean isStatic) {
            String call = owner + "." + called + of;
            boolean matters = Stream.of(CLOCKS, RANDOMNESS, THREADS, WAITS, ORDERS)
                            .anyMatch(kind -> kind.matcher(call).matches())
                    && !HARMLESS.matcher(call).matches()
                    && !called.equals("<init>");
            if (matters && substitutes.of(owner, called, of, isStatic) == null) {
                unled.add(name + " calls " + call);
            }
        }
    }
}
