package dev.resiliency.inprocess.internal.worker;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** Captures the log of a class during a test, and keeps it out of the test's output. */
public final class CapturedLog implements AutoCloseable {
    private final Logger logger;
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

    /** Captures messages of level INFO and above. */
    public CapturedLog(Class<?> type) {
        this(type, Level.INFO);
    }

    /** Captures messages of this level and above. */
    public CapturedLog(Class<?> type, Level level) {
        logger = (Logger) LoggerFactory.getLogger(type);
        logger.setLevel(level);
        appender.start();
        logger.addAppender(appender);
        logger.setAdditive(false);
    }

    public List<String> messages() {
        synchronized (appender) { // as the appender does while it adds one
            return appender.list.stream()
                    .map(ILoggingEvent::getFormattedMessage)
                    .toList();
        }
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        logger.setAdditive(true);
        logger.setLevel(null);
    }
}
