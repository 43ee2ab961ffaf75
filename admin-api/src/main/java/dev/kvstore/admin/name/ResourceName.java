package dev.kvstore.admin.name;

import jakarta.validation.Constraint;
import jakarta.validation.Payload;
import jakarta.validation.ReportAsSingleViolation;
import jakarta.validation.constraints.Pattern;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The name under which requests use a storage account; the same rule as in data planes. Null is let through. */
@Pattern(regexp = ResourceName.SHAPE)
@ReportAsSingleViolation
@Constraint(validatedBy = {})
@Target({
    ElementType.PARAMETER,
    ElementType.FIELD,
    ElementType.TYPE_USE,
    ElementType.RECORD_COMPONENT,
    ElementType.METHOD
})
@Retention(RetentionPolicy.RUNTIME)
public @interface ResourceName {
    String SHAPE = "^(?!.*\\.\\.)[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$";

    /** The error message for another text. */
    String message() default
            "must be 1 to 63 letters, digits, '.', '_' and '-', begin and end with a letter or digit, and hold no \"..\"";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};
}
