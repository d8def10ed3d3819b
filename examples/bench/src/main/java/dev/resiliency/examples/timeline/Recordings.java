package dev.resiliency.examples.timeline;

import static java.util.Comparator.comparing;
import static java.util.Comparator.comparingInt;
import static java.util.Comparator.comparingLong;
import static java.util.stream.Collectors.groupingBy;

import dev.resiliency.examples.timeline.Recorded.EventKind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** Reads the restarts of a job from Java Flight Recorder files of its ranks. */
final class Recordings {
    private static final String JVM = "jdk.JVMInformation";
    private static final Pattern CAUSE = Pattern.compile("after (.*): last call .*", Pattern.DOTALL);

    private final List<Recorded> events;

    private Recordings(List<Recorded> events) {
        this.events = inJobs(events);
    }

    /** Returns all restarts in these files, in order; ignores other events. */
    static List<RestartTimeline> read(List<Path> files) throws IOException {
        List<Recorded> events = new ArrayList<>();
        for (Path file : files) {
            try (RecordingFile recording = new RecordingFile(file)) {
                events.addAll(read(recording));
            } catch (IOException e) {
                throw new IOException(file + " cannot be read as a recording: " + e.getMessage(), e);
            }
        }
        return of(events);
    }

    private static List<Recorded> read(RecordingFile recording) throws IOException {
        List<Recorded> events = new ArrayList<>();
        Instant jvmStart = null;
        while (recording.hasMoreEvents()) {
            RecordedEvent event = recording.readEvent();
            EventKind.of(event).ifPresent(kind -> events.add(Recorded.of(kind, event)));
            if (event.getEventType().getName().equals(JVM)) {
                jvmStart = event.getInstant("jvmStartTime");
            }
        }
        if (jvmStart != null) {
            for (Recorded join : events.stream()
                    .filter(event -> event.kind() == EventKind.JOIN)
                    .toList()) {
                events.add(join.since(jvmStart));
            }
        }
        return events;
    }

    static List<RestartTimeline> of(List<Recorded> events) {
        return new Recordings(events).restarts();
    }

    /** A rank whose iterations start over is in another job. */
    private static List<Recorded> inJobs(List<Recorded> events) {
        List<Recorded> all = new ArrayList<>();
        for (List<Recorded> ofRank :
                events.stream().collect(groupingBy(Recorded::rank)).values()) {
            int job = 0;
            int iteration = 0;
            for (Recorded event :
                    ofRank.stream().sorted(comparingLong(Recorded::start)).toList()) {
                job += event.iteration() < iteration ? 1 : 0;
                iteration = event.iteration();
                all.add(event.inJob(job));
            }
        }
        return all;
    }

    private List<RestartTimeline> restarts() {
        Map<Integer, Map<Integer, List<Recorded>>> byJobAndIteration = all(EventKind.RESTART)
                .filter(restart -> ofRank(restart, EventKind.PHASE, restart.iteration())
                        .findAny()
                        .isPresent())
                .sorted(comparingInt(Recorded::rank))
                .collect(groupingBy(
                        Recorded::job,
                        TreeMap::new,
                        groupingBy(Recorded::iteration, TreeMap::new, Collectors.toList())));
        return byJobAndIteration.values().stream()
                .flatMap(job -> job.values().stream())
                .map(this::timeline)
                .toList();
    }

    private RestartTimeline timeline(List<Recorded> restarts) {
        Recorded first = restarts.stream().min(comparing(Recorded::time)).orElseThrow();
        List<Recorded> joins = joins(first);
        Alignment alignment =
                Alignment.of(Stream.concat(restarts.stream(), joins.stream()).toList());
        List<RankTimeline> ranks = restarts.stream()
                .map(restart -> new RankTimeline(
                                restart.rank(),
                                restart.rank() == restart.number() ? List.of("failed") : List.of(),
                                spans(restart))
                        .shifted(alignment.shiftOf(restart.clock())))
                .toList();
        List<String> notes = new ArrayList<>(alignment.notes());
        long known = ranks.stream().mapToLong(RankTimeline::start).min().orElseThrow();
        long fault = faults(first)
                .filter(each -> alignment.knows(each.clock()))
                .mapToLong(each -> each.start() + alignment.shiftOf(each.clock()))
                .min()
                .orElse(known);
        if (fault >= known) {
            notes.add("The time of the fault was not recorded: time starts when the first rank learned of it.");
        }
        worldSize(first)
                .filter(size -> size > ranks.size())
                .ifPresent(size -> notes.add(
                        "The recordings of this restart have %d of %d ranks: the others died before they wrote"
                                        .formatted(ranks.size(), size)
                                + " theirs, or their files are missing."));
        Stream<RankTimeline> joiners =
                joins.stream().map(join -> joiner(join).shifted(alignment.shiftOf(join.clock())));
        return RestartTimeline.of(
                first.iteration(),
                title(first),
                notes,
                Math.min(fault, known),
                Stream.concat(ranks.stream(), joiners).toList());
    }

    private static String title(Recorded restart) {
        Matcher report = CAUSE.matcher(restart.text());
        return "Iteration %d ended after %s, %s"
                .formatted(
                        restart.iteration(),
                        report.find() ? report.group(1) : "a fault",
                        restart.time().truncatedTo(ChronoUnit.MILLIS));
    }

    private Optional<Integer> worldSize(Recorded restart) {
        return ofRank(restart, EventKind.ITERATION, restart.iteration())
                .map(Recorded::number)
                .findFirst();
    }

    private Stream<Recorded> faults(Recorded restart) {
        return all(EventKind.FAULT)
                .filter(fault -> fault.job() == restart.job() && fault.iteration() == restart.iteration());
    }

    private List<Recorded> joins(Recorded restart) {
        return all(EventKind.JOIN)
                .filter(join -> join.job() == restart.job() && join.iteration() == restart.iteration() + 1)
                .toList();
    }

    /** Returns the way of a process into the job; without its beginning if the recording does not have that. */
    private RankTimeline joiner(Recorded join) {
        List<Span> spans = new ArrayList<>();
        ofRank(join, EventKind.PROCESS, join.iteration())
                .limit(1)
                .forEach(process -> spans.add(new Span(Part.START, process.start(), process.end())));
        spans.add(new Span(Part.WAIT, join.start(), join.end()));
        ofRank(join, EventKind.ENTRY, join.iteration())
                .limit(1)
                .forEach(entry -> spans.add(new Span(Part.RE_ENTRY, join.end(), entry.end())));
        return new RankTimeline(join.rank(), List.of("joined"), spans);
    }

    /** Each span lasts until the next one begins, since events may be delayed in between. */
    private List<Span> spans(Recorded restart) {
        List<Recorded> parts = Stream.concat(
                        ofRank(restart, EventKind.PHASE, restart.iteration()),
                        ofRank(restart, EventKind.ENTRY, restart.iteration() + 1)
                                .limit(1))
                .toList();
        List<Span> spans = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            Recorded part = parts.get(i);
            long end = i + 1 < parts.size() ? parts.get(i + 1).start() : part.end();
            spans.add(new Span(
                    part.kind() == EventKind.ENTRY ? Part.RE_ENTRY : Part.valueOf(part.text()), part.start(), end));
        }
        return spans;
    }

    private Stream<Recorded> ofRank(Recorded restart, EventKind kind, int iteration) {
        return all(kind)
                .filter(event -> event.rank() == restart.rank()
                        && event.job() == restart.job()
                        && event.iteration() == iteration)
                .sorted(comparingLong(Recorded::start));
    }

    private Stream<Recorded> all(EventKind kind) {
        return events.stream().filter(event -> event.kind() == kind);
    }
}
