package dev.resiliency.store;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** Fails every test class that leaves a buffer unreleased. JUnit finds it through {@code META-INF/services}. */
public final class LeakCheck implements AfterAllCallback {
    private static final List<String> LEAKS = new CopyOnWriteArrayList<>();

    static {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        AppenderBase<ILoggingEvent> reports = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent report) {
                LEAKS.add(report.getFormattedMessage()
                        .lines()
                        .filter(line -> line.contains("LEAK") || line.contains("dev.resiliency"))
                        .collect(Collectors.joining("\n")));
            }
        };
        reports.start();
        ((Logger) LoggerFactory.getLogger(ResourceLeakDetector.class)).addAppender(reports);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        List<String> leaks = find();
        assertThat(leaks).as("buffers that were not released").isEmpty();
    }

    /** Returns the buffers that were leaked since the last call. */
    static List<String> find() {
        // A leak is reported when a buffer is allocated after the leaked one was collected.
        System.gc();
        ByteBufAllocator.DEFAULT.directBuffer().release();
        List<String> leaks = List.copyOf(LEAKS);
        LEAKS.clear();
        return leaks;
    }
}
