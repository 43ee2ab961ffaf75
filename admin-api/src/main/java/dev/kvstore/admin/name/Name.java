package dev.kvstore.admin.name;

import jakarta.validation.Constraint;
import jakarta.validation.Payload;
import jakarta.validation.ReportAsSingleViolation;
import jakarta.validation.constraints.Pattern;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A name that admins choose: of a tenant, a region, a cluster, a grant. Null is let through. */
@Pattern(regexp = Name.SHAPE)
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
public @interface Name {
    String SHAPE = "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$";

    /** The error message for another text. */
    String message() default "must be 1 to 63 of a-z, 0-9 and '-', and begin and end with a letter or digit";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};
}
