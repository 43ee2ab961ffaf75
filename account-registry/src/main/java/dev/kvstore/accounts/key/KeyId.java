package dev.kvstore.accounts.key;

import jakarta.validation.Constraint;
import jakarta.validation.Payload;
import jakarta.validation.ReportAsSingleViolation;
import jakarta.validation.constraints.Pattern;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The id of an API key that a caller chooses: letters and digits alone, since {@code _} ends an id within a key, and as
 * long as ids that the service chooses, since all tenants share the ids. Null is let through.
 */
@Pattern(regexp = KeyId.SHAPE)
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
public @interface KeyId {
    String SHAPE = "^[a-z0-9]{12,40}$";

    /** The sentence that a caller with another text gets. */
    String message() default "must be 12 to 40 of a-z and 0-9: choose them at random, all tenants share the ids";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};
}
