package dev.kvstore.testing.postgres;

import dev.kvstore.launcher.stack.PostgresqlProgram;
import io.zonky.test.db.postgres.embedded.PgBinaryResolver;
import java.io.InputStream;

/** The one PostgreSQL program on the class path, which may stand there twice: in a library and beside the launcher. */
public final class PostgresArchive implements PgBinaryResolver {
    @Override
    public InputStream getPgBinary(String system, String machineHardware) {
        return PostgresqlProgram.archive();
    }
}
