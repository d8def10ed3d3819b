package dev.resiliency.inprocess;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the field or one-argument method of a {@link java.util.concurrent.Callable} that receives the {@link
 * CallWrapper} before each call. A callable has one at most, of this type and neither static nor final; it may be
 * private and may be inherited. In a named module its package must be {@code open} to {@code dev.resiliency.core}.
 *
 * @since 0.1.0
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD})
public @interface InjectCallWrapper {}
