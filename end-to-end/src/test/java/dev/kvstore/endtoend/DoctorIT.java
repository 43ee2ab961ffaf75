package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.doctor.finding.FindingKind;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.stack.StorageKind;
import dev.kvstore.testing.TestAuthority;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code kv doctor} finds and names what is planted into a running stack, and finds nothing in a healthy one. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DoctorIT {
    private static final String WRONG_KEY = "kv_0a1b2c3d_WrOnGsEcReT";

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path folder;

    private static KvUp up;
    private static DoctorPlants plants;

    @BeforeAll
    static void start() throws Exception {
        up = KvUp.start(
                Files.createDirectory(folder.resolve("stack")), StorageKind.FILESYSTEM, FastBeats.environment());
        plants = new DoctorPlants(up, new TestAuthority(folder, "authority"), folder);
    }

    @AfterAll
    static void stop() {
        up.close();
    }

    @Test
    @Order(1)
    void aHealthyStackIsOneLine() throws Exception {
        Kv.KvResult result = Doctors.run(Map.of(), plants.fleet("--environment", plants.file(plants.engine())));

        assertThat(result.out()).startsWith("healthy: ").hasLineCount(1);
        assertThat(result.exitCode()).isZero();
    }

    @Test
    @Order(2)
    void withoutATargetItLooksAtTheEngineAroundIt() {
        assertThat(Doctors.run(plants.engine()).out()).startsWith("healthy: ").hasLineCount(1);
    }

    @Test
    @Order(2)
    void aRecordedProcessWithoutAPlantIsHealthy() throws Exception {
        assertThat(plants.process(RecordedProcess.in(plants.newFolder())).out()).startsWith("healthy: ");
    }

    static Stream<DoctorPlants.Plant> plants() {
        return plants.all();
    }

    @ParameterizedTest
    @MethodSource("plants")
    @Order(3)
    void whatIsPlantedIsFoundAndNamed(DoctorPlants.Plant plant) throws Exception {
        Kv.KvResult result = plant.planting().look();

        assertThat(result.out()
                        .lines()
                        .filter(line -> line.startsWith(plant.kind().title() + " ")))
                .as(result.out() + result.err())
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).contains(plant.kind().wayOut()));
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.out() + result.err())
                .as("secrets")
                .doesNotContain(up.apiKey().split("_", 3)[2], up.adminToken(), "SeCrEt", "sAlT", "SaLt");
    }

    @Test
    @Order(4)
    void jsonHasTheSame() throws Exception {
        Kv.KvResult result = Doctors.run(plants.engine("KV_API_KEY=" + WRONG_KEY), "--json");

        JsonNode report = new ObjectMapper().readTree(result.out());
        assertThat(report.path("healthy").asBoolean(true)).isFalse();
        JsonNode finding = report.path("findings").path(0);
        assertThat(finding.path("finding").asText()).isEqualTo("key-refused");
        assertThat(finding.path("wayOut").asText()).isEqualTo(FindingKind.KEY_REFUSED.wayOut());
        assertThat(result.exitCode()).isEqualTo(1);
    }

    @Test
    @Order(4)
    void aMistakeInTheCommandIsNoFinding() {
        assertThat(Doctors.run(Map.of()).exitCode()).isEqualTo(2);
        assertThat(Doctors.run(Map.of(), "--data-plane", "localhost").err()).contains("--data-plane: \"localhost\"");
        assertThat(Doctors.run(Map.of(), "--environment", "/no/such").exitCode())
                .isEqualTo(2);
    }

    @Test
    @Order(4)
    void eachFindingHasASectionOfThePage() throws Exception {
        String page = Files.readString(Home.current().path().resolve("docs/operations/doctor.md"));

        assertThat(page.lines()
                        .filter(line -> line.matches("\\| `[a-z-]+` \\|.*"))
                        .map(line -> line.split("`", 3)[1]))
                .containsExactlyElementsOf(Arrays.stream(FindingKind.values())
                        .map(FindingKind::title)
                        .toList());
    }
}
