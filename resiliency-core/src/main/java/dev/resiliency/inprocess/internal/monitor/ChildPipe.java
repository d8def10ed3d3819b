package dev.resiliency.inprocess.internal.monitor;

import dev.resiliency.store.spi.guard.Processes;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The pipe to a child JVM that watches nothing but this rank. */
final class ChildPipe implements MonitorPipe {
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final Process process;
    private final StartWatch start = new StartWatch();

    private ChildPipe(Process process) {
        this.process = process;
    }

    static ChildPipe start() throws IOException {
        return new ChildPipe(Processes.start(MonitorCommand.builder().redirectErrorStream(true)));
    }

    long pid() {
        return process.pid();
    }

    @Override
    public InputStream input() {
        return process.getInputStream();
    }

    @Override
    public OutputStream output() {
        return process.getOutputStream();
    }

    @Override
    public String name() {
        return "the monitor process " + pid();
    }

    @Override
    public String ended() {
        return name() + " ended";
    }

    @Override
    public @Nullable String startFailure() {
        return start.getsOn(process.info().totalCpuDuration().orElse(Duration.ZERO))
                ? null
                : name() + " " + start.describe();
    }

    @Override
    public void closeOutput() throws IOException {
        process.getOutputStream().close();
    }

    @Override
    public void kill() {
        process.destroyForcibly();
    }

    @Override
    public void awaitEnd() throws InterruptedException {
        try {
            if (process.waitFor(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            throw e;
        }
        process.destroyForcibly();
    }
}
