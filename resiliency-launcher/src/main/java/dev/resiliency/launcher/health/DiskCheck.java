package dev.resiliency.launcher.health;

import dev.resiliency.launcher.config.Durations;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks how much space a directory has, in a process of its own: its disk may hang. */
final class DiskCheck implements HostCheck {
    private static final long KIBIBYTES = 1024;
    /** The second line of {@code df -Pk}: device, size, used, and what is asked for. */
    private static final Pattern FREE = Pattern.compile("\\n\\S+ +\\d+ +\\d+ +(\\d+) ");

    private final Path directory;
    private final long neededMebibytes;
    private final Duration limit;
    private final Probe probe;

    DiskCheck(Path directory, long neededMebibytes, Duration limit) {
        this.directory = directory;
        this.neededMebibytes = neededMebibytes;
        this.limit = limit;
        probe = new Probe(List.of("df", "-Pk", directory.toString()));
    }

    @Override
    public Finding run() throws InterruptedException {
        String subject = "disk of " + directory;
        Probe.Result result;
        try {
            result = probe.run(limit);
        } catch (IOException e) {
            return Finding.warning(subject, "it was not checked: " + e.getMessage());
        }
        if (result.isLate()) {
            return Finding.failure(subject, "it has not answered within " + Durations.format(limit));
        }
        Matcher free = FREE.matcher(result.output());
        if (!result.isSuccess() || !free.find()) {
            return Finding.failure(subject, Excerpt.of(result.output()));
        }
        long mebibytes = Long.parseLong(free.group(1)) / KIBIBYTES;
        return mebibytes >= neededMebibytes
                ? Finding.ok(subject, mebibytes + " MiB are free")
                : Finding.failure(
                        subject,
                        "only %d MiB are free, %d are needed: remove what other jobs have left"
                                .formatted(mebibytes, neededMebibytes));
    }
}
