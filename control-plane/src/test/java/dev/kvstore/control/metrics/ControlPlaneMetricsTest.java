package dev.kvstore.control.metrics;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.kvstore.metrics.Metric;
import dev.kvstore.metrics.MetricTable;
import dev.kvstore.testing.GeneratedSection;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** All metrics are listed, and the handbook has the list. */
final class ControlPlaneMetricsTest {
    private static final Set<String> MAKERS =
            Set.of("counter", "gauge", "timer", "summary", "more", "gaugeCollectionSize", "gaugeMapSize");

    @Test
    void theHandbookHasTheList() throws IOException {
        assertThat(new GeneratedSection("docs/operations/metrics.md", "metrics of a control plane")
                        .is(MetricTable.markdown(ControlPlaneMetrics.ALL)))
                .as(
                        "docs/operations/metrics.md is not up to date; this rewrites it: mvn test -pl control-plane -am -Ddocs.write=true"
                                + " -Dtest=ControlPlaneMetricsTest -Dsurefire.failIfNoSpecifiedTests=false")
                .isTrue();
    }

    @Test
    void noNameIsTwice() {
        assertThat(ControlPlaneMetrics.ALL).extracting(Metric::name).doesNotHaveDuplicates();
    }

    /** So every meter has a help text and keeps the rules for names. */
    @Test
    void onlyTheListRegistersMeters() {
        noClasses()
                .should()
                .callMethodWhere(describe("it makes a meter that is no Metric", ControlPlaneMetricsTest::makesMeter))
                .check(new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .importPackages("dev.kvstore.control"));
    }

    private static boolean makesMeter(JavaMethodCall call) {
        JavaClass owner = call.getTargetOwner();
        boolean builds = owner.getPackageName().equals(MeterRegistry.class.getPackageName())
                && call.getName().equals("builder");
        return builds || (owner.isAssignableTo(MeterRegistry.class) && MAKERS.contains(call.getName()));
    }
}
