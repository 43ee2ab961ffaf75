package dev.kvstore.admin.body;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a field of a body whose value a PUT keeps if it leaves the field out. A PATCH that sets the field to null needs
 * the value of a new resource.
 */
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface KeptIfAbsent {
    /** The value of a new resource, as JSON that a PUT takes. */
    String initially();
}
