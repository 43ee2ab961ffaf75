package dev.kvstore.clusters.process;

import jakarta.validation.Constraint;
import jakarta.validation.Payload;
import jakarta.validation.ReportAsSingleViolation;
import jakarta.validation.constraints.Pattern;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The name of a process in its cluster: machines and pods have such names. Null is allowed. */
@Pattern(regexp = ProcessName.SHAPE)
@ReportAsSingleViolation
@Constraint(validatedBy = {})
@Target({ElementType.PARAMETER, ElementType.FIELD, ElementType.TYPE_USE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface ProcessName {
    String SHAPE = "^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$";

    /** The rule for names, for error messages. */
    String FLAW = "must be 1 to 63 letters, digits, '.', '_' and '-', the first of them a letter or digit";

    /** The error message for another text. */
    String message() default FLAW;

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};
}
