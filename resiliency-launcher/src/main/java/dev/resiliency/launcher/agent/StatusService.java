package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.LaunchConfig.StatusPage;
import dev.resiliency.launcher.log.LauncherLog;
import dev.resiliency.launcher.rendezvous.Seat;
import dev.resiliency.launcher.status.StatusServer;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.tcp.TcpStore;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Serves the status page, if this agent is the one to do so: all agents of a job have the same options, and one page is enough. It is
 * the one that hosts the store, or else that of the first node. A page that cannot be served is reported, and does not hinder the job.
 *
 * <p>Thread: {@code resiliency-status-start}, which opens it.
 */
final class StatusService implements AutoCloseable {
    private static final Duration CONNECT = Duration.ofSeconds(5);

    private final @Nullable StatusPage page;
    private final String jobId;
    private final JobStore store;
    private final LauncherLog log;
    /** Whether it serves, or tries to; belongs to the thread of the agent. */
    private boolean isAsked;

    private @Nullable TcpStore session; // guarded by this
    private @Nullable StatusServer server; // guarded by this
    private boolean isClosed; // guarded by this

    /**
     * Creates a service that does not serve yet.
     *
     * @param page null if no agent is to serve one
     */
    StatusService(@Nullable StatusPage page, String jobId, JobStore store, LauncherLog log) {
        this.page = page;
        this.jobId = jobId;
        this.store = store;
        this.log = log;
        if (store.server() != null) {
            serve();
        }
    }

    /** Notes that this node has a seat. */
    void seated(Seat seat) {
        if (seat.group() == 0) {
            serve();
        }
    }

    /** Begins to serve on a thread of its own, so that the agent does not wait for the store or for a name. */
    private void serve() {
        StatusPage wanted = page;
        if (wanted != null && !isAsked) {
            isAsked = true;
            Thread starter = new Thread(() -> start(wanted), "resiliency-status-start");
            starter.setDaemon(true);
            starter.start();
        }
    }

    private void start(StatusPage wanted) {
        try {
            InetAddress address = InetAddress.getByName(wanted.address());
            TcpStore connected = store.connect("agent-status", CONNECT);
            synchronized (this) {
                session = connected;
                if (!isClosed) {
                    server = StatusServer.start(address, wanted.port(), connected, jobId, store.server());
                    log.line("the status page of the job is at " + server.url());
                }
            }
        } catch (UnknownHostException e) {
            log.line("there is no status page, as --status-address names no address: " + e.getMessage());
        } catch (StoreException e) {
            log.line("there is no status page: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            if (isClosed) {
                closeParts();
            }
        }
    }

    private synchronized void closeParts() {
        if (server != null) {
            server.close();
        }
        if (session != null) {
            session.close();
        }
    }

    /** Ends the page. */
    @Override
    public synchronized void close() {
        isClosed = true;
        closeParts();
    }
}
