package dev.kvstore.simulation.rewriting;

import dev.kvstore.simulation.database.HistoryDatabase;
import dev.kvstore.simulation.world.World;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;

/**
 * Loads the classes of the product and of its libraries, with the calls of clocks, waits, threads and randomness led to
 * the world. Thread-safe.
 */
public final class RewritingLoader extends URLClassLoader {
    static {
        registerAsParallelCapable();
    }

    /** Classes that are loaded once, without rewriting: the world, and the database with its driver. */
    private static final List<String> AS_IT_IS = List.of(
            World.class.getPackageName() + ".", HistoryDatabase.class.getPackageName() + ".", "org.postgresql.");

    private static final String PRODUCT = "dev.kvstore.";

    /** The folder of classes that replace others on Java 21 and later, both in folders and in jars. */
    private static final String NEWEST = "META-INF/versions/21/";

    private final Substitutes substitutes = new Substitutes();

    /**
     * Names of classes that are not there: libraries ask for them again and again, and each look into all jars takes
     * long.
     */
    private final Set<String> missing = ConcurrentHashMap.newKeySet();

    /** @param path folders and jars with the classes */
    public RewritingLoader(URL[] path) {
        super("simulated", path, RewritingLoader.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            if (known != null) {
                return known;
            }
            if (missing.contains(name)) {
                throw new ClassNotFoundException(name);
            }
            if (AS_IT_IS.stream().anyMatch(name::startsWith) || isOfJdk(name)) {
                return super.loadClass(name, resolve);
            }
            return define(name);
        }
    }

    private static boolean isOfJdk(String name) {
        return ClassLoader.getPlatformClassLoader().getResource(name.replace('.', '/') + ".class") != null;
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        String path = name.replace('.', '/') + ".class";
        URL newest = name.startsWith(PRODUCT) ? findResource(NEWEST + path) : null;
        URL file = newest == null ? findResource(path) : newest;
        if (file == null) {
            missing.add(name);
            throw new ClassNotFoundException(name);
        }
        try (InputStream in = file.openStream()) {
            byte[] rewritten = rewritten(in.readAllBytes());
            return defineClass(name, rewritten, 0, rewritten.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    /** The class file of a class of the product, with its calls led to the world. */
    public byte[] rewritten(byte[] type) {
        ClassReader reader = new ClassReader(type);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(new RewritingVisitor(writer, substitutes), 0);
        return writer.toByteArray();
    }
}
