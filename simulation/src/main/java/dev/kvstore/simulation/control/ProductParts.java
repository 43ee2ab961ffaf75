package dev.kvstore.simulation.control;

import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.Typed;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Puts parts of the product together as its container does. A producer's method, or the part's one constructor, makes
 * each part once, of other parts, when it is first asked for. There are no scopes, interceptors and proxies. For one
 * thread.
 */
final class ProductParts {
    private final Map<Class<?>, @Nullable Object> made = new LinkedHashMap<>();
    private final List<Method> producers = new ArrayList<>();

    /** Gives this part wherever its type is asked for. */
    void put(Object part) {
        made.put(part.getClass(), part);
    }

    /** Gives null wherever a part of this type is asked for: the parts that get the null must not use it. */
    void leaveOut(Class<?> part) {
        made.put(part, null);
    }

    /** @param name the name of a class with methods that make parts */
    void producers(String name) {
        for (Method method : type(name).getDeclaredMethods()) {
            if (method.isAnnotationPresent(Produces.class)) {
                producers.add(method);
            }
        }
    }

    private static Class<?> type(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Makes a part, which is given wherever its type or a supertype is asked for. */
    void make(Class<?> part) {
        var _ = get(part);
    }

    /** The part of a type, which is made if there is none yet. */
    <T> T get(Class<T> type) {
        Object part = part(type);
        if (part == null) {
            throw new IllegalStateException(type + " is left out");
        }
        return type.cast(part);
    }

    private @Nullable Object part(Class<?> type) {
        for (Map.Entry<Class<?>, @Nullable Object> known : made.entrySet()) {
            if (known.getKey() == type || (isFor(known.getKey()) && type.isAssignableFrom(known.getKey()))) {
                return known.getValue();
            }
        }
        for (Method producer : producers) {
            Class<?> result = producer.getReturnType();
            if (result == type || (!producer.isAnnotationPresent(Typed.class) && type.isAssignableFrom(result))) {
                return keep(result, produced(producer));
            }
        }
        Constructor<?>[] constructors = type.getDeclaredConstructors();
        if (constructors.length != 1) {
            throw new IllegalStateException("no part is a " + type);
        }
        return keep(type, constructed(constructors[0]));
    }

    /** Whether a part may be given for its supertypes, too. */
    private boolean isFor(Class<?> type) {
        return producers.stream()
                .noneMatch(producer -> producer.getReturnType() == type && producer.isAnnotationPresent(Typed.class));
    }

    private Object keep(Class<?> type, Object part) {
        made.put(type, part);
        return part;
    }

    private @Nullable Object[] arguments(Parameter[] parameters) {
        @Nullable Object[] arguments = new @Nullable Object[parameters.length];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = part(parameters[i].getType());
        }
        return arguments;
    }

    private Object produced(Method producer) {
        try {
            Constructor<?> maker = producer.getDeclaringClass().getDeclaredConstructor();
            maker.setAccessible(true);
            producer.setAccessible(true);
            return producer.invoke(maker.newInstance(), arguments(producer.getParameters()));
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private Object constructed(Constructor<?> constructor) {
        try {
            constructor.setAccessible(true);
            return constructor.newInstance(arguments(constructor.getParameters()));
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Makes an object of a class by its one constructor. */
    static Object made(String name, Object... arguments) {
        try {
            Constructor<?> constructor = type(name).getDeclaredConstructors()[0];
            constructor.setAccessible(true);
            return constructor.newInstance(arguments);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Calls the one method with a name. */
    static Object call(Object of, String name, Object... arguments) throws SQLException {
        for (Method method : of.getClass().getDeclaredMethods()) {
            if (method.getName().equals(name)) {
                try {
                    method.setAccessible(true);
                    return method.invoke(of, arguments);
                } catch (InvocationTargetException e) {
                    if (e.getCause() instanceof SQLException failure) {
                        throw failure;
                    }
                    throw new IllegalStateException(e.getCause());
                } catch (IllegalAccessException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
        throw new IllegalStateException(of.getClass() + " has no " + name);
    }

    /** Calls the start method of a part, as the container does when the program starts. */
    void start(Class<?> type) {
        for (Method method : type.getDeclaredMethods()) {
            if (method.getName().equals("start")) {
                try {
                    method.setAccessible(true);
                    method.invoke(get(type), (Object) null);
                } catch (InvocationTargetException e) {
                    throw new IllegalStateException(e.getCause());
                } catch (IllegalAccessException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }
}
