package dev.kvstore.terraform.azurerm;

import dev.kvstore.launcher.node.NodeProgram;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The npm package that CDK Terrain generates from the schema of azurerm, of which one file is made: the schemas of all
 * resources and data sources. Nothing of it is part of this project. Thread-safe; processes take turns.
 *
 * @param folder where the file lies; may be deleted
 */
record AzurermPackage(Path folder) {
    /** The version of azurerm from which the package was generated. */
    static final String VERSION = "4.73.0";

    private static final String PACKAGE = "@cdktn/provider-azurerm@16.1.0";
    private static final String SHA_512 =
            "ArrHLoh/ebmY2yymKIxh2wL4HWqgvrK4EOVDfbOnNW8/qKA6/+EjIMBTacfA9C2tUq5zgBoNzImIZyqOiT/JYg==";

    /** Raise it when schemas are read in another way: files of before are made again. */
    private static final int EDITION = 1;

    private static final int DOWNLOAD_MINUTES = 5;
    private static final ReentrantLock IN_PROCESS = new ReentrantLock();

    /**
     * An archive with an entry for each schema, made when first asked for: some 30 MB are loaded once.
     *
     * @throws IOException if npm does not get the package; the message says what npm said
     */
    Path schemas() throws IOException, InterruptedException {
        Path made = folder.resolve("schemas-" + VERSION + "-" + EDITION + ".zip");
        Files.createDirectories(folder);
        IN_PROCESS.lockInterruptibly();
        try (FileChannel channel = FileChannel.open(
                        folder.resolve("schemas.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock _ = channel.lock()) {
            if (!Files.exists(made)) {
                Path archive = download();
                Path part = folder.resolve("schemas.part");
                convert(archive, part);
                Files.move(part, made, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                Files.delete(archive);
            }
        } finally {
            IN_PROCESS.unlock();
        }
        return made;
    }

    private Path download() throws IOException, InterruptedException {
        Path log = folder.resolve("npm.log");
        Process npm = NodeProgram.start(new ProcessBuilder("npm", "pack", PACKAGE, "--silent")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile()));
        npm.getOutputStream().close();
        boolean ended = npm.waitFor(DOWNLOAD_MINUTES, TimeUnit.MINUTES);
        npm.destroyForcibly();
        String said = Files.readString(log).strip();
        Path archive = folder.resolve("cdktn-provider-azurerm-16.1.0.tgz");
        if (!ended || npm.exitValue() != 0 || !Files.exists(archive)) {
            throw new IOException("npm did not load " + PACKAGE + ", of which the schema of azurerm is made"
                    + (ended ? "" : " within " + DOWNLOAD_MINUTES + " minutes") + ": " + said);
        }
        if (!sha512(archive).equals(SHA_512)) {
            Files.delete(archive);
            throw new IOException(PACKAGE
                    + " has another SHA-512 than the one that was reviewed: the registry of npm gave" + " other bytes");
        }
        return archive;
    }

    private static String sha512(Path file) throws IOException {
        try {
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-512").digest(Files.readAllBytes(file)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-512", e);
        }
    }

    private static void convert(Path archive, Path to) throws IOException {
        try (InputStream file = new BufferedInputStream(new GZIPInputStream(Files.newInputStream(archive), 1 << 16));
                ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(to))) {
            TarReader tar = new TarReader(file);
            while (tar.next()) {
                List<String> path = List.of(tar.name().split("/"));
                if (path.size() == 4 && path.get(3).equals("index.js")) {
                    ScriptedSchema script = new ScriptedSchema(tar.text());
                    zip.putNextEntry(new ZipEntry(entry(path.get(2), script)));
                    script.schema().writeTo(zip);
                    zip.closeEntry();
                }
            }
        }
    }

    private static String entry(String folder, ScriptedSchema script) {
        if (folder.equals("provider")) {
            return "provider";
        }
        return (folder.startsWith("data-azurerm-") ? "data/" : "resource/") + script.type();
    }
}
