package dev.kvstore.simulation;

import dev.kvstore.simulation.rewriting.RewritingLoader;
import dev.kvstore.simulation.world.SeededHistories;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Loads the product's classes from the class path into a simulated world. */
final class ProductClasses {
    private static final String HISTORIES = "dev.kvstore.simulation.history.PlannedHistories";

    private ProductClasses() {}

    static SeededHistories histories() throws ReflectiveOperationException {
        return histories(loader());
    }

    /** The histories of the classes that a loader loads. */
    static SeededHistories histories(RewritingLoader loader) throws ReflectiveOperationException {
        return (SeededHistories) loader.loadClass(HISTORIES).getConstructor().newInstance();
    }

    static RewritingLoader loader() {
        System.setProperty("io.netty.transport.noNative", "true");
        System.setProperty("io.netty.leakDetection.level", "disabled");
        // Each event loop would have such caches, and event loops come and go with histories.
        System.setProperty("io.netty.allocator.smallCacheSize", "0");
        System.setProperty("io.netty.allocator.normalCacheSize", "0");
        URL[] path = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .map(ProductClasses::url)
                .toArray(URL[]::new);
        return new RewritingLoader(path);
    }

    private static URL url(Path part) {
        try {
            return part.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(part + " is on the class path, and is no file", e);
        }
    }
}
