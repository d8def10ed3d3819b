package dev.resiliency.inprocess.internal.worker;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.InjectCallWrapper;
import dev.resiliency.inprocess.RestartableFunction;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Turns a callable with an {@link InjectCallWrapper} into a {@link RestartableFunction}. */
public final class CallWrapperInjection {
    private CallWrapperInjection() {}

    /**
     * Returns the function that injects its argument into the callable, if that has a place for it, and calls it.
     *
     * @throws IllegalArgumentException if the class has several places for the injection, or an unsuitable one; names
     *     the class and the place
     */
    public static <R> RestartableFunction<R> into(Callable<? extends @Nullable R> callable) {
        Class<?> type = callable.getClass();
        List<AccessibleObject> places = new ArrayList<>();
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            collect(Stream.of(each.getDeclaredFields()), places);
            // The compiler copies annotations to the bridge method of one that implements a generic method.
            collect(Stream.of(each.getDeclaredMethods()).filter(method -> !method.isBridge()), places);
        }
        if (places.isEmpty()) {
            return call -> callable.call();
        }
        if (places.size() > 1) {
            throw new IllegalArgumentException(type.getName() + " has " + places.size()
                    + " fields or methods with @InjectCallWrapper, and one at most is allowed: " + places);
        }
        AccessibleObject place = places.get(0);
        requireFit(type, place);
        try {
            place.setAccessible(true);
        } catch (InaccessibleObjectException e) {
            throw new IllegalArgumentException(
                    type.getName() + ": " + place
                            + " is not accessible; open its package to the module dev.resiliency.core",
                    e);
        }
        return call -> {
            inject(callable, place, call);
            return callable.call();
        };
    }

    private static void collect(Stream<? extends AccessibleObject> candidates, List<AccessibleObject> places) {
        candidates
                .filter(candidate -> candidate.isAnnotationPresent(InjectCallWrapper.class))
                .forEach(places::add);
    }

    private static void requireFit(Class<?> type, AccessibleObject place) {
        if (place instanceof Field field) {
            int modifiers = field.getModifiers();
            if (field.getType() != CallWrapper.class || Modifier.isStatic(modifiers) || Modifier.isFinal(modifiers)) {
                throw new IllegalArgumentException(type.getName() + ": the field " + field
                        + " must be of type CallWrapper, neither static nor final");
            }
        } else if (place instanceof Method method
                && (method.getParameterCount() != 1
                        || method.getParameterTypes()[0] != CallWrapper.class
                        || Modifier.isStatic(method.getModifiers()))) {
            throw new IllegalArgumentException(
                    type.getName() + ": the method " + method + " must take one CallWrapper and must not be static");
        }
    }

    private static void inject(Object target, AccessibleObject place, CallWrapper call) throws Exception {
        if (place instanceof Field field) {
            field.set(target, call);
        } else if (place instanceof Method method) {
            try {
                method.invoke(target, call);
            } catch (InvocationTargetException e) {
                if (e.getCause() instanceof Error error) {
                    throw error;
                }
                throw e.getCause() instanceof Exception cause ? cause : e;
            }
        }
    }
}
