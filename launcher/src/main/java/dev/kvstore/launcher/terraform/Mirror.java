package dev.kvstore.launcher.terraform;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A folder in the packed layout of Terraform's {@code filesystem_mirror}: an archive for each platform, and the
 * checksums of all, like a release. One thread uses it.
 *
 * @param folder the folder, which is made if it is missing
 */
record Mirror(Path folder) {
    /** The provider's address in {@code source} of {@code required_providers}. */
    static final String ADDRESS = "kvstore.dev/kvstore/kvstore";

    // The earliest time in an archive: with the time of a build, each archive would be a different one.
    private static final FileTime EARLIEST = FileTime.from(Instant.parse("1980-01-01T00:00:00Z"));

    private static final int COPIED = 64 * 1024;

    /** The folder with the archives of the provider. */
    Path archives() {
        return folder.resolve(ADDRESS);
    }

    /** Puts a program into the archive of its platform, and replaces an old archive. */
    Path add(Path program, String version, Platform platform) throws IOException {
        Files.createDirectories(archives());
        Path archive = archives().resolve("terraform-provider-kvstore_" + version + "_" + platform + ".zip");
        Path made = Files.createTempFile(archives(), ".zip-", ".tmp");
        Files.delete(made);
        try (FileSystem zip = FileSystems.newFileSystem(
                URI.create("jar:" + made.toUri()), Map.of("create", "true", "enablePosixFileAttributes", "true"))) {
            Path entry = zip.getPath("/" + program.getFileName());
            Files.copy(program, entry);
            // An entry has three times.
            Files.getFileAttributeView(entry, BasicFileAttributeView.class).setTimes(EARLIEST, EARLIEST, EARLIEST);
            Files.setPosixFilePermissions(entry, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        Files.move(made, archive, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        return archive;
    }

    /** Writes the checksums of all archives of a version, in the form of {@code sha256sum}. */
    Path sum(String version) throws IOException {
        List<String> lines = new ArrayList<>();
        try (Stream<Path> files = Files.list(archives())) {
            for (Path file : files.filter(file -> isArchive(file, version)).toList()) {
                lines.add(sha256(file) + "  " + file.getFileName());
            }
        }
        Collections.sort(lines);
        Path sums = archives().resolve("terraform-provider-kvstore_" + version + "_SHA256SUMS");
        return Files.writeString(sums, String.join("\n", lines) + "\n", UTF_8);
    }

    private static boolean isArchive(Path file, String version) {
        String name = file.getFileName().toString();
        return name.startsWith("terraform-provider-kvstore_" + version + "_") && name.endsWith(".zip");
    }

    private static String sha256(Path file) throws IOException {
        try (DigestInputStream in =
                new DigestInputStream(Files.newInputStream(file), MessageDigest.getInstance("SHA-256"))) {
            byte[] part = new byte[COPIED];
            while (in.read(part) >= 0) {
                // The digest gets the bytes.
            }
            return HexFormat.of().formatHex(in.getMessageDigest().digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
