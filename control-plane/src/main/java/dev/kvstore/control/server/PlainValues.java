package dev.kvstore.control.server;

import io.smallrye.config.ConfigSourceInterceptor;
import io.smallrye.config.ConfigSourceInterceptorContext;
import io.smallrye.config.ConfigValue;
import io.smallrye.config.Expressions;
import io.smallrye.config.Priorities;
import jakarta.annotation.Priority;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Takes values of the environment and of system properties as they are: a password may have dollar signs and braces in
 * it. The expressions of the application's own files are still expanded. Stateless.
 */
// Before the interceptor that expands.
@Priority(Priorities.LIBRARY + 400)
public final class PlainValues implements ConfigSourceInterceptor {
    private static final long serialVersionUID = 1;

    /** The names of these sources, as the library has them. */
    private static final Set<String> OF_USER = Set.of("EnvConfigSource", "SysPropConfigSource");

    @Override
    public @Nullable ConfigValue getValue(ConfigSourceInterceptorContext context, String name) {
        ConfigValue plain = Expressions.withoutExpansion(() -> context.proceed(name));
        return plain == null || OF_USER.contains(plain.getConfigSourceName()) ? plain : context.proceed(name);
    }
}
