package dev.resiliency.inprocess.internal.log;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The texts of a throwable, which may be one of the user's: its methods may throw, return null, or block, and it may have thousands of
 * causes. So those that it has overridden are called on a thread of their own, and within limits.
 *
 * <p>Thread: {@code resiliency-text}. Whoever waits for a text goes on after a second.
 */
public final class ThrownText {
    private static final Duration LIMIT = Duration.ofSeconds(1);
    /** A message may have megabytes, and what follows goes through all of it. */
    private static final int MOST_CHARACTERS = 2000;
    /** A log of this process has more room than a message to the others. */
    private static final int MOST_LOGGED = 20_000;
    /** Logging libraries print all causes, by recursion. */
    private static final int MOST_CAUSES = 100;
    /** The methods of a throwable that are called here or by a log. */
    private static final List<String> CALLED =
            List.of("toString", "getMessage", "getLocalizedMessage", "getCause", "getStackTrace");

    private ThrownText() {}

    /** Returns what {@code toString} does, cut if it is long; the name of the class if that fails. */
    public static String of(Throwable thrown) {
        String text = isOfTheJdk(thrown) ? thrown.toString() : limited(thrown::toString);
        return text == null ? thrown.getClass().getName() : cut(text, MOST_CHARACTERS);
    }

    /** Returns its message, cut if it is long; null if there is none, or that fails. */
    public static @Nullable String messageOf(Throwable thrown) {
        String message = isOfTheJdk(thrown) ? thrown.getMessage() : limited(thrown::getMessage);
        return message == null ? null : cut(message, MOST_CHARACTERS);
    }

    private static String cut(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most) + "…";
    }

    /** Returns the throwable and its causes, outermost first and not more than 100; only the throwable if that fails. */
    public static List<Throwable> withCauses(Throwable thrown) {
        List<Throwable> all = isWhollyOfTheJdk(thrown)
                ? causes(thrown).toList()
                : limited(() -> causes(thrown).toList());
        return all == null ? List.of(thrown) : all;
    }

    private static Stream<Throwable> causes(Throwable thrown) {
        return Stream.iterate(thrown, Objects::nonNull, Throwable::getCause).limit(MOST_CAUSES);
    }

    /** Returns whether no method that is called here is the user's. */
    private static boolean isOfTheJdk(Throwable thrown) {
        return CALLED.stream().allMatch(method -> {
            try {
                return thrown.getClass().getMethod(method).getDeclaringClass().getClassLoader() == null;
            } catch (NoSuchMethodException e) {
                throw new AssertionError(e);
            }
        });
    }

    /** Returns the throwable itself if a log can print it and its text is not long, and otherwise one that stands for it. */
    static Throwable printable(Throwable thrown) {
        Throwable printed = isWhollyOfTheJdk(thrown) ? printed(thrown) : limited(() -> printed(thrown));
        return printed == null ? new Unprintable(thrown.getClass().getName()) : printed;
    }

    private static boolean isWhollyOfTheJdk(Throwable thrown) {
        return causes(thrown).allMatch(ThrownText::isOfTheJdk);
    }

    /** Returns what a log prints of a throwable; null if it cannot print it. */
    private static @Nullable Throwable printed(Throwable thrown) {
        int causes = 0;
        boolean isLong = false;
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            Object[] frames = cause.getStackTrace();
            String text = cause.toString();
            String all = text + cause.getMessage(); // which may be null, but must return
            if (text == null || all.isEmpty() || frames == null || ++causes > MOST_CAUSES) {
                return null;
            }
            isLong |= text.length() > MOST_LOGGED;
        }
        return isLong ? shortened(thrown) : thrown;
    }

    private static Throwable shortened(Throwable thrown) {
        Throwable cause = thrown.getCause();
        Throwable shorter = new Shortened(cut(thrown.toString(), MOST_LOGGED), cause == null ? null : shortened(cause));
        shorter.setStackTrace(thrown.getStackTrace());
        return shorter;
    }

    /**
     * Returns the result of a call; null if it fails, or does not end in time, and is then left behind. Waits even if this thread is
     * interrupted, as that of a stopped function is, and leaves the interrupt to others.
     */
    private static <T> @Nullable T limited(Supplier<? extends @Nullable T> call) {
        try {
            CompletableFuture<@Nullable T> result = new CompletableFuture<@Nullable T>()
                    .completeOnTimeout(null, LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            Thread thread = new Thread(() -> complete(result, call), "resiliency-text");
            thread.setDaemon(true);
            thread.start();
            return result.exceptionally(failed -> null).join();
        } catch (OutOfMemoryError noThread) {
            return null;
        }
    }

    @SuppressWarnings("CatchingUnchecked") // of user code
    private static <T> void complete(CompletableFuture<@Nullable T> result, Supplier<? extends @Nullable T> call) {
        try {
            result.complete(call.get());
        } catch (Throwable failed) {
            result.completeExceptionally(failed);
        }
    }

    /** Stands for a throwable with a long message. */
    private static final class Shortened extends RuntimeException {
        private static final long serialVersionUID = 1;

        Shortened(String text, @Nullable Throwable cause) {
            super(text, cause);
        }
    }

    /** Stands for a throwable that cannot be printed. */
    private static final class Unprintable extends RuntimeException {
        private static final long serialVersionUID = 1;

        Unprintable(String name) {
            super(
                    name + ", which cannot be printed: its methods fail or do not return, or it has too many causes",
                    null,
                    false,
                    false);
        }
    }
}
