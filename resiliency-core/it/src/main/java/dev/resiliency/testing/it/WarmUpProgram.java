package dev.resiliency.testing.it;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.Wrapper;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/**
 * A rank that prints whether a warm-up ran before its first call. With the system property {@code switched}, rank 0
 * switches it on and all others switch it off. With {@code late}, the call goes on until one runs.
 */
final class WarmUpProgram {
    private WarmUpProgram() {}

    @SuppressWarnings("SystemOut") // read by the test
    public static void main(String[] arguments) throws InterruptedException {
        List<String> messages = logOfWarmUp();
        Wrapper.Builder builder = Wrapper.builder();
        if (Boolean.getBoolean("switched")) {
            builder.warmUp(Environment.fromVariables().rank() == 0);
        }
        Boolean wasWarmedUp = builder.build().call(call -> {
            boolean isWarm = hasBegun(messages);
            while (Boolean.getBoolean("late") && !hasBegun(messages)) {
                Thread.sleep(20);
            }
            return isWarm;
        });
        System.out.println("WARMED UP " + wasWarmedUp);
    }

    private static List<String> logOfWarmUp() {
        List<String> messages = new CopyOnWriteArrayList<>();
        ListAppender<ILoggingEvent> appender = new ListAppender<>() {
            @Override
            protected void append(ILoggingEvent event) {
                messages.add(event.getFormattedMessage());
            }
        };
        appender.start();
        Logger logger = (Logger) LoggerFactory.getLogger("dev.resiliency.inprocess.internal.WarmUp");
        logger.setLevel(Level.DEBUG);
        logger.addAppender(appender);
        return messages;
    }

    /** Returns whether a warm-up has ended, or still runs in the background; its thread logs the end before it ends. */
    private static boolean hasBegun(List<String> messages) {
        return !messages.isEmpty()
                || Thread.getAllStackTraces().keySet().stream()
                        .anyMatch(thread -> thread.getName().equals("resiliency-warm-up"));
    }
}
