package dev.kvstore.doctor.environment;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kvstore.doctor.finding.Check;
import dev.kvstore.doctor.finding.CheckOutcome;
import dev.kvstore.doctor.finding.DoctorFinding;
import dev.kvstore.doctor.finding.FindingKind;
import dev.kvstore.doctor.service.EngineAccess;
import dev.kvstore.doctor.service.ServiceAddress;
import dev.kvstore.doctor.service.Trust;
import dev.kvstore.launcher.IoReason;
import dev.kvstore.launcher.rest.TrustedAuthorities;
import dev.kvstore.settings.SecretText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The variables by which an engine's connector finds the service, read without asking anybody. */
public record EngineVariables(Variables variables) implements Check {
    static final String SALT = "KV_SALT_KEY";

    private static final String ENDPOINTS = "KV_ENDPOINTS";
    private static final String CONTROL_PLANE = "KV_CONTROL_PLANE";
    private static final String RESOURCE = "KV_RESOURCE";
    private static final String REGION = "KV_REGION";
    private static final String KEY = "KV_API_KEY";
    private static final String KEY_FILE = "KV_API_KEY_FILE";
    private static final String AUTHORITIES = "KV_CA_FILE";

    private static final Set<String> KNOWN =
            Set.of(ENDPOINTS, CONTROL_PLANE, RESOURCE, REGION, KEY, KEY_FILE, AUTHORITIES, SALT);

    /** Variables of the script kv, which are no mistyped ones. */
    private static final Set<String> OTHERS =
            Set.of("KV_JDK_PLACES", "KV_NUMA_ROOT", "KV_SKIP_BUILD", "KV_ENGINES", "KV_PREVIOUS", "KV_CACHE_LAYOUT");

    private static final Pattern WELL_FORMED_KEY = Pattern.compile("kv_[A-Za-z0-9]+_[A-Za-z0-9_-]+");

    /** Whether the environment is that of an engine. */
    public boolean areThere() {
        return variables.values().keySet().stream()
                .anyMatch(name -> KNOWN.contains(name) || meant(name).isPresent());
    }

    @Override
    public String subject() {
        return variables.source();
    }

    @Override
    public CheckOutcome look() {
        List<DoctorFinding> findings = new ArrayList<>();
        variables
                .values()
                .keySet()
                .forEach(name -> meant(name)
                        .ifPresent(known ->
                                add(findings, FindingKind.VARIABLE_UNKNOWN, name, "is not known; " + known + " is")));
        boolean endpoints = !variables.value(ENDPOINTS).isEmpty();
        boolean control = !variables.value(CONTROL_PLANE).isEmpty();
        if (endpoints == control) {
            add(
                    findings,
                    endpoints ? FindingKind.VARIABLES_CONFLICT : FindingKind.VARIABLE_MISSING,
                    ENDPOINTS,
                    endpoints ? "is set, and so is " + CONTROL_PLANE : "is not set, nor is " + CONTROL_PLANE);
        }
        if (variables.value(RESOURCE).isEmpty()) {
            add(findings, FindingKind.VARIABLE_MISSING, RESOURCE, "is not set");
        }
        Stream.of(ENDPOINTS, CONTROL_PLANE)
                .forEach(name -> texts(name)
                        .filter(text -> ServiceAddress.parse(text).isEmpty())
                        .forEach(text ->
                                add(findings, FindingKind.ADDRESS_MALFORMED, name, "\"" + text + "\" is no address")));
        addKey(findings);
        authoritiesFlaw().ifPresent(flaw -> add(findings, FindingKind.AUTHORITY_FILE, AUTHORITIES, flaw));
        return CheckOutcome.of(findings);
    }

    private void addKey(List<DoctorFinding> findings) {
        String file = variables.value(KEY_FILE);
        String key;
        try {
            key = key();
        } catch (IOException e) {
            add(findings, FindingKind.KEY_FILE, KEY_FILE, file + " cannot be read: " + IoReason.of(e));
            return;
        }
        if (key.isEmpty() && file.isEmpty()) {
            add(findings, FindingKind.VARIABLE_MISSING, KEY, "is not set, nor is " + KEY_FILE);
        } else if (key.isEmpty()) {
            add(findings, FindingKind.KEY_FILE, KEY_FILE, file + " is empty");
        } else if (!WELL_FORMED_KEY.matcher(key).matches()) {
            add(findings, FindingKind.KEY_MALFORMED, file.isEmpty() ? KEY : KEY_FILE, "is no API key as they are made");
        }
    }

    /** The known name that a name of another program's was meant to be. */
    private static Optional<String> meant(String name) {
        boolean ours = name.startsWith("KV_") && !KNOWN.contains(name) && !OTHERS.contains(name);
        return ours ? NearestName.of(name, KNOWN) : Optional.empty();
    }

    private String key() throws IOException {
        String file = variables.value(KEY_FILE);
        return SecretText.of(file.isEmpty() ? variables.value(KEY) : Files.readString(Path.of(file), UTF_8));
    }

    private @Nullable Path authorities() {
        String file = variables.value(AUTHORITIES);
        return file.isEmpty() ? null : Path.of(file);
    }

    private Optional<String> authoritiesFlaw() {
        try {
            var _ = TrustedAuthorities.manager(authorities());
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(String.valueOf(e.getMessage()).replaceFirst("^--ca: ", ""));
        }
    }

    private Stream<String> texts(String name) {
        return Stream.of(variables.value(name).split(",", -1))
                .map(String::strip)
                .filter(text -> !text.isEmpty());
    }

    private List<ServiceAddress> addresses(String name) {
        return texts(name).flatMap(text -> ServiceAddress.parse(text).stream()).toList();
    }

    /** The region; empty if none is named. */
    public String region() {
        return variables.value(REGION);
    }

    /**
     * The access of the engine to the service; none if the variables say too little, of which {@link #look} tells.
     *
     * @param plaintext whether it was told to speak in clear to any host
     */
    public Optional<EngineAccess> access(boolean plaintext) {
        try {
            String key = key();
            List<ServiceAddress> endpoints = addresses(ENDPOINTS);
            List<ServiceAddress> controlPlanes = addresses(CONTROL_PLANE);
            boolean enough = !key.isEmpty()
                    && !variables.value(RESOURCE).isEmpty()
                    && endpoints.isEmpty() != controlPlanes.isEmpty()
                    && authoritiesFlaw().isEmpty();
            return enough
                    ? Optional.of(new EngineAccess(
                            endpoints,
                            controlPlanes,
                            variables.value(RESOURCE),
                            region(),
                            key,
                            new Trust(authorities(), plaintext && authorities() == null)))
                    : Optional.empty();
        } catch (IOException noKey) {
            return Optional.empty();
        }
    }

    private static void add(List<DoctorFinding> findings, FindingKind kind, String subject, String problem) {
        findings.add(new DoctorFinding(kind, subject, problem));
    }
}
