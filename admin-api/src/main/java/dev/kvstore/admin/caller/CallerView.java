package dev.kvstore.admin.caller;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A caller, as it sees itself.
 *
 * @param name as the audit log has it
 * @param role the first of its roles that its credential suffices for, such as {@code platform-admin}
 * @param tenant the only tenant of the role; null for all
 * @param version of the server
 * @param seesAll whether it sees the resources of all tenants, so that a resource that it does not find does not exist
 * @param changesAll whether it may change everything
 */
@Schema(name = "Caller")
public record CallerView(
        String name, String role, @Nullable String tenant, String version, boolean seesAll, boolean changesAll) {
    static CallerView of(Caller caller, ServerVersion version) {
        return new CallerView(
                caller.name(),
                caller.role().word(),
                caller.tenant(),
                version.text(),
                caller.seesAll(),
                caller.role() == Role.PLATFORM_ADMIN);
    }
}
