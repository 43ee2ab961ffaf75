package dev.kvstore.benchmark.kvcache;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.benchmark.kvcache.config.YamlResource;
import dev.kvstore.launcher.EnumConverter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Adds the flags of {@code flags.yaml} to the command, each with the type that {@link KvCacheFlags} has it by. */
public final class FlagSpecs implements IModelTransformer {
    /** The facts about each flag, by its name: label, default, range, and the flags that it excludes or needs. */
    static final ObjectNode FLAGS = YamlResource.read(FlagSpecs.class, "flags.yaml");

    private static final RecordComponent[] COMPONENTS = KvCacheFlags.class.getRecordComponents();

    @Override
    public CommandSpec transform(CommandSpec spec) {
        FLAGS.properties().forEach(flag -> spec.addOption(option(flag.getKey(), flag.getValue())));
        return spec;
    }

    private static OptionSpec option(String name, JsonNode facts) {
        RecordComponent component = Arrays.stream(COMPONENTS)
                .filter(one -> name(one).equals(name))
                .findFirst()
                .orElseThrow();
        boolean isSwitch = component.getType() == boolean.class;
        String[] names = facts.has("short") ? new String[] {facts.path("short").asText(), name} : new String[] {name};
        OptionSpec.Builder option = OptionSpec.builder(names)
                .type(component.getType())
                .arity(isSwitch ? "0" : "1")
                .paramLabel(facts.path("label").asText())
                .defaultValue(isSwitch ? "false" : facts.path("usual").asText(null));
        Class<?> value = component.getType();
        if (component.getGenericType() instanceof ParameterizedType list) {
            value = (Class<?>) list.getActualTypeArguments()[0];
            option.auxiliaryTypes(value).splitRegex(",");
        }
        if (value.isEnum()) {
            option.converters(converter(value.asSubclass(Enum.class)));
        }
        return option.build();
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // It is known by its class alone.
    private static EnumConverter<?> converter(Class<? extends Enum> type) {
        return new EnumConverter(type);
    }

    /** {@code --num-users} for {@code numUsers}. */
    private static String name(RecordComponent component) {
        return "--" + component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    /** The flags of a command that was parsed. */
    static KvCacheFlags read(CommandSpec parsed) {
        List<Object> values = new ArrayList<>();
        for (RecordComponent component : COMPONENTS) {
            Object value = parsed.findOption(name(component)).getValue();
            values.add(value == null && component.getType() == List.class ? List.of() : value);
        }
        Class<?>[] types =
                Arrays.stream(COMPONENTS).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            return KvCacheFlags.class.getDeclaredConstructor(types).newInstance(values.toArray());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
