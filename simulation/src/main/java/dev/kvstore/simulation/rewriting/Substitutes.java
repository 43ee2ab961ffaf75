package dev.kvstore.simulation.rewriting;

import dev.kvstore.simulation.world.Clocks;
import dev.kvstore.simulation.world.HostCleaners;
import dev.kvstore.simulation.world.HostFiles;
import dev.kvstore.simulation.world.HostThreadPool;
import dev.kvstore.simulation.world.HostThreads;
import dev.kvstore.simulation.world.InPlaceOf;
import dev.kvstore.simulation.world.MapOrders;
import dev.kvstore.simulation.world.Randomness;
import dev.kvstore.simulation.world.SetOrders;
import dev.kvstore.simulation.world.Waits;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Type;

/** The methods and classes of the JDK and of Netty that are replaced, and their replacements. Immutable. */
final class Substitutes {
    private static final List<Class<?>> CLASSES = List.of(
            Clocks.class,
            HostCleaners.class,
            HostFiles.class,
            HostThreadPool.class,
            HostThreads.class,
            MapOrders.class,
            Randomness.class,
            SetOrders.class,
            Waits.class);

    private static final String SOCKETS = "dev/kvstore/simulation/sockets/";

    /**
     * Classes of Netty and their replacements. They are names, since only the rewriting loader loads classes of a
     * library.
     */
    private static final Map<String, String> OF_NETTY = Map.of(
            "io/netty/util/HashedWheelTimer",
            "dev/kvstore/simulation/fleet/AlarmTimer",
            "io/netty/util/concurrent/DefaultThreadFactory",
            SOCKETS + "HostThreadFactory",
            "io/netty/channel/nio/NioEventLoopGroup",
            SOCKETS + "HostEventLoops");

    /** Class constants and their replacements: Netty makes a socket of the class that it is given. */
    private static final Map<String, String> CONSTANTS =
            Map.of("io/netty/channel/socket/nio/NioSocketChannel", SOCKETS + "SimulatedSocket");

    /**
     * Classes whose fields are replaced. Netty's global executor has one thread for all worlds; its replacement has
     * none.
     */
    private static final Map<String, String> OWNERS_OF_FIELDS =
            Map.of("io/netty/util/concurrent/GlobalEventExecutor", "io/netty/util/concurrent/ImmediateEventExecutor");

    /** The substitutes for methods, by the name and descriptor of the call without its object. */
    private final Map<String, List<Substitute>> methods = new HashMap<>();

    /** The replacing classes, by the internal name of the class whose objects they replace. */
    private final Map<String, String> classes = new HashMap<>();

    private static final String FUTURE = "Lio/netty/util/concurrent/Future;";

    private static final Substitute WAIT_OF_NETTY = new Substitute(
            Object.class, false, SOCKETS + "NettyWaits", "awaitUninterruptibly", "(" + FUTURE + ")" + FUTURE);

    private static final Set<String> WAITS_OF_NETTY = Set.of("await", WAIT_OF_NETTY.name());

    /** A static method of the simulation that replaces a method. */
    record Substitute(Class<?> of, boolean isStatic, String owner, String name, String descriptor) {
        static Substitute of(Class<?> of, boolean isStatic, Method method) {
            return new Substitute(
                    of,
                    isStatic,
                    Type.getInternalName(method.getDeclaringClass()),
                    method.getName(),
                    Type.getMethodDescriptor(method));
        }
    }

    Substitutes() {
        classes.putAll(OF_NETTY);
        for (Class<?> type : CLASSES) {
            replace(type);
            for (Class<?> made : type.getDeclaredClasses()) {
                replace(made);
            }
            for (Method method : type.getDeclaredMethods()) {
                InPlaceOf place = method.getAnnotation(InPlaceOf.class);
                if (place != null) {
                    add(place.value(), method);
                }
            }
        }
    }

    private void replace(Class<?> made) {
        InPlaceOf place = made.getAnnotation(InPlaceOf.class);
        if (place != null) {
            classes.put(Type.getInternalName(place.value()), Type.getInternalName(made));
        }
    }

    private void add(Class<?> of, Method method) {
        Class<?>[] parameters = method.getParameterTypes();
        boolean isStatic = has(of, method.getName(), parameters);
        Class<?>[] ofCall = isStatic ? parameters : Arrays.copyOfRange(parameters, 1, parameters.length);
        if (!isStatic && !(parameters[0] == of && has(of, method.getName(), ofCall))) {
            throw new IllegalStateException(method + " is in place of nothing in " + of);
        }
        String call = method.getName() + arguments(ofCall);
        methods.computeIfAbsent(call, _ -> new ArrayList<>()).add(Substitute.of(of, isStatic, method));
    }

    private static boolean has(Class<?> of, String name, Class<?>[] parameters) {
        try {
            of.getMethod(name, parameters);
            return true;
        } catch (NoSuchMethodException e) {
            return false;
        }
    }

    private static String arguments(Class<?>[] types) {
        StringBuilder text = new StringBuilder("(");
        for (Class<?> type : types) {
            text.append(Type.getDescriptor(type));
        }
        return text.append(')').toString();
    }

    /** The substitute for a call, or null. */
    @Nullable
    Substitute of(String owner, String name, String descriptor, boolean isStatic) {
        if (owner.startsWith("io/netty/") && WAITS_OF_NETTY.contains(name) && descriptor.startsWith("()")) {
            return WAIT_OF_NETTY;
        }
        if (!owner.startsWith("java/")) {
            return null;
        }
        String call = name + descriptor.substring(0, descriptor.indexOf(')') + 1);
        for (Substitute substitute : methods.getOrDefault(call, List.of())) {
            if (substitute.isStatic == isStatic && isA(owner, substitute)) {
                return substitute;
            }
        }
        return null;
    }

    private static boolean isA(String owner, Substitute substitute) {
        try {
            Class<?> type = Class.forName(owner.replace('/', '.'), false, ClassLoader.getPlatformClassLoader());
            return substitute.isStatic ? type == substitute.of : substitute.of.isAssignableFrom(type);
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** The internal name of the class whose objects replace the objects of a type, or null. */
    @Nullable
    String inPlaceOf(String type, String maker) {
        String made = classes.get(type);
        return maker.equals(made) ? null : made;
    }

    /** The internal name of the class constant that replaces a type's, or null. */
    @Nullable
    String namedInPlaceOf(String type) {
        return CONSTANTS.get(type);
    }

    /** The internal name of the class whose field of the same name replaces an owner's field, or null. */
    @Nullable
    String fieldInPlaceOf(String owner, String reader) {
        return reader.equals(owner) ? null : OWNERS_OF_FIELDS.get(owner);
    }
}
