package dev.kvstore.control.warming.admin;

import dev.kvstore.admin.name.Name;
import dev.kvstore.admin.name.ResourceName;
import dev.kvstore.control.warming.Preheat;
import dev.kvstore.control.warming.Selection;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a request for a new warming.
 *
 * @param resourceName of the account
 * @param from the region whose blocks are copied
 * @param to the region that they are copied into
 * @param bytesPerSecond the limit of all processes together; 64 KiB to 100 GB, 100 MB if absent
 * @param requestsPerSecond the limit of calls to either storage, of all processes together; 1 to 100,000, 2,000 if
 *     absent
 * @param preheat {@code storage} if absent
 * @param everySeconds the time between two rounds of a standing warming, which ends when it is cancelled: 10 s to 30
 *     days, an hour at least where storage is listed; one round alone if absent
 */
public record WarmingSpec(
        @NotNull(message = "is missing") @ResourceName String resourceName,
        @NotNull(message = "is missing") @Name String from,
        @NotNull(message = "is missing") @Name String to,
        @NotNull(message = "is missing") @Valid Selection select,

        @Nullable
        @Min(value = LEAST_BYTES, message = "must be 65536 to 100000000000")
        @Max(value = MOST_BYTES, message = "must be 65536 to 100000000000")
        Long bytesPerSecond,

        @Nullable
        @Min(value = 1, message = "must be 1 to 100000")
        @Max(value = 100_000, message = "must be 1 to 100000")
        Integer requestsPerSecond,

        @Nullable Preheat preheat,

        @Nullable
        @Min(value = 10, message = "must be 10 to 2592000")
        @Max(value = 2_592_000, message = "must be 10 to 2592000")
        Long everySeconds) {
    /** The least bytes per second: a block of the usual 1.2 MB then takes 20 s. */
    static final long LEAST_BYTES = 1 << 16;

    static final long MOST_BYTES = 100_000_000_000L;

    /** The least period of a warming that lists storage: a listing costs a call for every 5,000 blobs. */
    static final long LEAST_SECONDS_LISTED = 3_600;

    private static final long USUAL_BYTES = 100_000_000;

    /** The default of requests per second: a tenth of what an Azure storage account takes. */
    private static final int USUAL_REQUESTS = 2_000;

    long bytesPerSecondOrUsual() {
        return bytesPerSecond == null ? USUAL_BYTES : bytesPerSecond;
    }

    int requestsPerSecondOrUsual() {
        return requestsPerSecond == null ? USUAL_REQUESTS : requestsPerSecond;
    }

    Preheat preheatOrStorage() {
        return preheat == null ? Preheat.STORAGE : preheat;
    }
}
