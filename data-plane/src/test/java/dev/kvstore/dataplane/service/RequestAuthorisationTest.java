package dev.kvstore.dataplane.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kvstore.dataplane.account.Account;
import dev.kvstore.dataplane.account.AccountResolver;
import dev.kvstore.dataplane.account.Credential;
import dev.kvstore.dataplane.account.KeyStanding;
import dev.kvstore.dataplane.account.Party;
import dev.kvstore.dataplane.account.Resolution;
import dev.kvstore.dataplane.account.Rights;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.account.StoreCache;
import dev.kvstore.dataplane.call.CallFailures;
import dev.kvstore.dataplane.call.CallRefusal;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.storage.StorageException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

final class RequestAuthorisationTest {
    @Test
    void whyAStorageCannotBeOpenedIsForTheLogAndNotForTheCaller() {
        String resource = "cannot-be-opened";
        Account account = new Account(resource, "tenant", new StorageLocation.Filesystem(Path.of("/never-opened")));
        StoreCache stores = new StoreCache(location -> {
            throw new StorageException(StorageException.Kind.FORBIDDEN, "directory /never-opened: is read-only", null);
        });
        MemoryPool memory = new MemoryPool(1 << 20, Duration.ofMillis(1));
        RequestAuthorisation grants = RegionFixture.authorisation(new Everyone(account), stores, memory);
        PublishedLog records = new PublishedLog();
        Logger logger = Logger.getLogger(CallFailures.class.getName());
        logger.addHandler(records);
        try {
            assertThatExceptionOfType(CallRefusal.class)
                    .isThrownBy(() -> grants.grant(new Credential("id", "hash"), resource))
                    .withMessageNotContaining("read-only");
        } finally {
            logger.removeHandler(records);
        }

        assertThat(records.published).singleElement().satisfies(told -> {
            assertThat(told.getLevel().intValue()).isGreaterThanOrEqualTo(Level.SEVERE.intValue());
            assertThat(told.getMessage()).contains(resource, "directory /never-opened: is read-only");
        });
    }

    private record Everyone(Account account) implements AccountResolver {
        @Override
        public Party party(Credential credential) {
            return Party.NOBODY;
        }

        @Override
        public int count() {
            return 1;
        }

        @Override
        public KeyStanding standing(Credential credential) {
            return KeyStanding.GOOD;
        }

        @Override
        public Resolution resolve(Credential credential, String resourceName) {
            return new Resolution.Granted(account, "id", Rights.ALL);
        }

        @Override
        public Resolution known(Credential credential, String resourceName) {
            return resolve(credential, resourceName);
        }
    }

    private static final class PublishedLog extends Handler {
        private final List<LogRecord> published = new ArrayList<>();

        @Override
        public void publish(LogRecord told) {
            published.add(told);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
