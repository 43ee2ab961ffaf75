package dev.kvstore.control.server;

import io.smallrye.config.ConfigSourceInterceptor;
import io.smallrye.config.ConfigSourceInterceptorContext;
import io.smallrye.config.ConfigValue;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.Expressions;
import io.smallrye.config.Priorities;
import io.smallrye.config.SysPropConfigSource;
import jakarta.annotation.Priority;
import org.jspecify.annotations.Nullable;

/**
 * Leaves values of the environment and of system properties unexpanded: a password may contain dollar signs and braces.
 * The expressions of the application's own files are still expanded. Stateless.
 */
// This interceptor runs before the one that expands.
@Priority(Priorities.LIBRARY + 400)
public final class PlainValues implements ConfigSourceInterceptor {
    private static final long serialVersionUID = 1;

    @Override
    public @Nullable ConfigValue getValue(ConfigSourceInterceptorContext context, String name) {
        ConfigValue plain = Expressions.withoutExpansion(() -> context.proceed(name));
        return plain == null || isOfUser(plain.getConfigSourceName()) ? plain : context.proceed(name);
    }

    /** @param source the name of the value's source; null for a default of the application */
    private static boolean isOfUser(@Nullable String source) {
        return EnvConfigSource.NAME.equals(source) || SysPropConfigSource.NAME.equals(source);
    }
}
