package dev.resiliency.examples.demo;

import dev.resiliency.examples.demo.RankStatus.Phase;
import dev.resiliency.examples.job.JobProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The processes of a job, and what is known of them: starts them, follows them, and starts them again if the scenario says so.
 * Every event goes through one queue and is handled by one thread, to which all of this is confined but for the queue.
 */
final class SupervisedJob implements RunningJob {
    private final Scenario scenario;
    private final Scoreboard board;
    private final Launcher launcher;
    private final Supervisor supervisor;
    private final List<DueStart> dueStarts = new ArrayList<>();
    private final BlockingQueue<Runnable> inbox =
            new LinkedBlockingQueue<>(); // written by the threads that follow processes

    /** A rank that is to be started again at this {@link System#nanoTime}. */
    private record DueStart(int rank, long nanos) {}

    SupervisedJob(Scoreboard board, Launcher launcher) {
        scenario = board.scenario();
        this.board = board;
        this.launcher = launcher;
        supervisor = new Supervisor(scenario.ranks());
    }

    @Override
    public void start() throws IOException {
        for (int rank = 0; rank < scenario.ranks(); rank++) {
            start(rank);
        }
    }

    private JobProcess start(int rank) throws IOException {
        List<DemoFault> faults = new ArrayList<>(scenario.allFaults());
        faults.removeAll(board.happened());
        JobProcess process = launcher.start(rank, faults);
        process.follow(line -> read(rank, process, line), exitCode -> inbox.add(() -> ended(rank, process, exitCode)));
        return process;
    }

    @Override
    public @Nullable Runnable await(Duration atMost) throws InterruptedException {
        return inbox.poll(atMost.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void handle(@Nullable Runnable event) throws IOException {
        for (Runnable next = event; next != null; next = inbox.poll()) {
            next.run();
        }
        long now = System.nanoTime();
        for (DueStart due : List.copyOf(dueStarts)) {
            if (due.nanos() - now <= 0) {
                dueStarts.remove(due);
                board.startsAgain(due.rank(), start(due.rank()).pid());
            }
        }
    }

    @Override
    public boolean isOver() {
        return board.isOver() && dueStarts.isEmpty();
    }

    /** Called by the thread that reads what the process prints. */
    private void read(int rank, JobProcess process, String line) {
        if (launcher.isChatter(line)) {
            return;
        }
        DemoEvent event;
        try {
            event = DemoEvent.parse(line);
        } catch (IllegalArgumentException e) {
            inbox.add(() -> {
                if (launcher.isLatest(rank, process)) {
                    board.unexpectedLine(rank, line);
                }
            });
            return;
        }
        inbox.add(() -> apply(rank, process, event));
    }

    private void apply(int rank, JobProcess process, DemoEvent event) {
        if (!launcher.isLatest(rank, process)) {
            return; // the last words of a process that another one has replaced
        }
        process.rememberChildren();
        board.apply(rank, event);
        if (event instanceof DemoEvent.Entered || event instanceof DemoEvent.StandsBy) {
            supervisor.tookPart(rank);
        } else if (event instanceof DemoEvent.AllDue due) {
            killAll(due);
        } else if (event instanceof DemoEvent.Restarted report && scenario.replace()) {
            board.lostHosts(report.iteration()).forEach(this::replace);
        }
        if (board.ranks().get(rank).standsStill()) {
            launcher.freezes(process);
        }
    }

    /** Every rank that is there reports that it is time; the first one counts. */
    private void killAll(DemoEvent.AllDue due) {
        if (!board.happened().contains(due.fault())) {
            board.allKilled(due.fault(), due.step(), System.nanoTime());
            launcher.killAll();
        }
    }

    private void ended(int rank, JobProcess process, int exitCode) {
        if (!launcher.isLatest(rank, process)) {
            return;
        }
        board.ended(rank, exitCode, System.nanoTime());
        if (scenario.replace() && board.ranks().get(rank).phase() != Phase.FINISHED) {
            replace(rank);
        }
    }

    private void replace(int rank) {
        if (dueStarts.stream().anyMatch(due -> due.rank() == rank)) {
            return; // several ranks report that it is lost
        }
        Supervisor.Decision decision = supervisor.ended(rank);
        if (decision instanceof Supervisor.Decision.StartAgain again) {
            dueStarts.add(new DueStart(rank, System.nanoTime() + again.pause().toNanos()));
        } else {
            board.givenUp(rank);
        }
    }
}
