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
 * Takes values of the environment and of system properties as they are: a password may have dollar signs and braces in
 * it. The expressions of the application's own files are still expanded. Stateless.
 */
// Before the interceptor that expands.
@Priority(Priorities.LIBRARY + 400)
public final class PlainValues implements ConfigSourceInterceptor {
    private static final long serialVersionUID = 1;

    @Override
    public @Nullable ConfigValue getValue(ConfigSourceInterceptorContext context, String name) {
        ConfigValue plain = Expressions.withoutExpansion(() -> context.proceed(name));
        return plain == null || isOfUser(plain.getConfigSourceName()) ? plain : context.proceed(name);
    }

    /** @param source its name; null for a value that the application has a default for */
    private static boolean isOfUser(@Nullable String source) {
        return EnvConfigSource.NAME.equals(source) || SysPropConfigSource.NAME.equals(source);
    }
}
