package dev.resiliency.launcher.status;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.resiliency.launcher.http.Origin;
import dev.resiliency.launcher.http.ServerLimits;
import dev.resiliency.launcher.rendezvous.JobControl;
import dev.resiliency.launcher.rendezvous.JobEvent;
import dev.resiliency.launcher.rendezvous.JobFeed;
import dev.resiliency.launcher.rendezvous.JobView;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.spi.Descriptors;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.tcp.TcpStoreServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/**
 * Serves the page and the metrics of a job. It has a session and threads of its own: however slow or hostile its clients are, no agent
 * waits for them.
 *
 * <p>Threads: {@code resiliency-status-1} and so on.
 */
public final class StatusServer implements AutoCloseable {
    private static final int STREAMS = 16;
    /** For streams, for other requests, and for one that takes down the steps. */
    private static final int THREADS = STREAMS + 8 + 1;

    private static final int LONGEST_BODY = 4 << 10;
    private static final int BACKLOG = 64;
    /** Nothing is due, but a wait has a limit. */
    private static final Duration LONG = Duration.ofHours(1);

    /** The text format of Prometheus. */
    private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";

    private static final String ACTIONS = "/actions/";

    private static final Set<String> RESOURCES = Set.of(
            "page.html",
            "page.css",
            "page.js",
            "job.js",
            "map.js",
            "interruptions.js",
            "timeline.js",
            "actions.js",
            "text.js");

    private static final Map<String, String> TYPES =
            Map.of("html", "text/html", "css", "text/css", "js", "text/javascript");

    private final HttpServer server;
    private final ThreadPoolExecutor threads;
    private final Semaphore streams = new Semaphore(STREAMS);
    private final Origin origin = Origin.ofThisHost();
    private final JobFeed feed;
    private final StepHistory steps = new StepHistory();
    private final @Nullable TcpStoreServer hosted;
    /** Null until somebody reads them; guarded by this. */
    private @Nullable StatusMetrics metrics;

    private final AtomicBoolean isClosed = new AtomicBoolean();
    private final JobActions actions;
    private final @Nullable ActionToken token;

    private StatusServer(
            HttpServer server, SessionStore session, String jobId, @Nullable TcpStoreServer hosted, JobFeed feed) {
        this.server = server;
        this.feed = feed;
        this.hosted = hosted;
        actions = new JobActions(new JobControl(session, jobId));
        SecretKey secret = session.secret();
        token = secret == null ? null : ActionToken.of(secret, jobId);
        AtomicInteger number = new AtomicInteger();
        threads = new ThreadPoolExecutor(THREADS, THREADS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
            Thread thread = new Thread(task, "resiliency-status-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Starts the server.
     *
     * @param session of the store, which must stay open, and which nobody else uses
     * @param hosted the server of the store; null if another process hosts it
     * @throws StoreException if the address cannot be used; says what to do
     */
    public static StatusServer start(
            InetAddress address, int port, SessionStore session, String jobId, @Nullable TcpStoreServer hosted) {
        ServerLimits.set();
        HttpServer server;
        try {
            server = HttpServer.create(new InetSocketAddress(address, port), BACKLOG);
        } catch (IOException e) {
            throw new StoreException(
                    "the status page cannot be served at %s:%d: %s. Choose another one with --status-port and --status-address"
                            .formatted(address.getHostAddress(), port, e.getMessage()),
                    e);
        }
        JobFeed feed = JobFeed.open(session, jobId);
        StatusServer started = new StatusServer(server, session, jobId, hosted, feed);
        server.setExecutor(started.threads);
        server.createContext("/", started::handle);
        started.threads.execute(() -> StepSampler.run(feed, started.steps));
        server.start();
        Descriptors.ofThisProcess().setAside(ServerLimits.mostConnections());
        return started;
    }

    /** Returns the address of the page. */
    public String url() {
        InetSocketAddress address = server.getAddress();
        String host = address.getAddress().isAnyLocalAddress()
                ? "localhost"
                : address.getAddress().getHostAddress();
        return "http://%s:%d/".formatted(host.contains(":") ? "[" + host + "]" : host, address.getPort());
    }

    private void handle(HttpExchange exchange) throws IOException {
        try {
            answer(exchange);
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        } finally {
            exchange.close();
        }
    }

    private void answer(HttpExchange exchange) throws IOException, InterruptedException {
        String path = exchange.getRequestURI().getPath();
        String method = exchange.getRequestMethod();
        if (!origin.isOwnHost(exchange.getRequestHeaders())) {
            Response.text(
                    exchange,
                    Response.WRONG_HOST,
                    "this server has another name: use its address, its host name, or localhost");
        } else if (path.startsWith(ACTIONS)) {
            act(exchange, method, path.substring(ACTIONS.length()));
        } else if (!method.equals("GET") && !method.equals("HEAD")) {
            Response.text(exchange, Response.WRONG_METHOD, "use GET");
        } else if (path.equals("/updates")) {
            stream(exchange);
        } else if (path.equals("/job.json")) {
            String json =
                    PageUpdate.json(feed.view(0), steps.after(0), true, System.currentTimeMillis(), token != null);
            Response.send(exchange, Response.OK, "application/json", json.getBytes(UTF_8));
        } else if (path.equals("/metrics")) {
            sendMetrics(exchange);
        } else {
            resource(exchange, path);
        }
    }

    private void stream(HttpExchange exchange) throws IOException, InterruptedException {
        if (!streams.tryAcquire()) {
            Response.text(exchange, Response.TOO_MANY, "%d pages are open already".formatted(STREAMS));
            return;
        }
        try {
            new EventStream(feed, steps, token != null).send(exchange);
        } finally {
            streams.release();
        }
    }

    private static void resource(HttpExchange exchange, String path) throws IOException {
        String name = path.equals("/") ? "page.html" : path.substring(1);
        if (!RESOURCES.contains(name)) {
            Response.text(exchange, Response.NOT_FOUND, "there is no such page");
            return;
        }
        String type = TYPES.get(name.substring(name.indexOf('.') + 1)) + "; charset=utf-8";
        try (InputStream in = Objects.requireNonNull(StatusServer.class.getResourceAsStream(name))) {
            Response.send(exchange, Response.OK, type, in.readAllBytes());
        }
    }

    private void act(HttpExchange exchange, String method, String action) throws IOException, InterruptedException {
        String type = exchange.getRequestHeaders().getFirst("Content-Type");
        if (!method.equals("POST")) {
            Response.text(exchange, Response.WRONG_METHOD, "use POST");
        } else if (!origin.isOwnPage(exchange.getRequestHeaders())) {
            Response.text(exchange, Response.FORBIDDEN, "the request comes from another page");
        } else if (token == null) {
            Response.text(
                    exchange,
                    Response.FORBIDDEN,
                    "this job has no secret, so its page changes nothing: use the commands, or set"
                            + " RESILIENCY_STORE_SECRET_FILE");
        } else if (!token.isIn(exchange.getRequestHeaders().getFirst("Authorization"))) {
            exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
            Response.text(
                    exchange,
                    Response.UNAUTHORIZED,
                    "the token is wrong: 'resiliency status --token' prints the right one");
        } else if (type == null || !type.startsWith("application/json")) {
            Response.text(exchange, Response.BAD_REQUEST, "send the parameters as application/json");
        } else {
            perform(exchange, action);
        }
    }

    private void perform(HttpExchange exchange, String action) throws IOException, InterruptedException {
        byte[] body = exchange.getRequestBody().readNBytes(LONGEST_BODY + 1);
        if (body.length > LONGEST_BODY) {
            Response.text(exchange, Response.TOO_LARGE, "the body is too long");
            return;
        }
        try {
            Response.text(exchange, Response.OK, actions.run(action, body));
        } catch (IllegalArgumentException e) {
            Response.text(exchange, Response.BAD_REQUEST, String.valueOf(e.getMessage()));
        } catch (StoreException e) {
            Response.text(exchange, Response.CONFLICT, String.valueOf(e.getMessage()));
        }
    }

    /**
     * Waits until the job has ended.
     *
     * @throws StoreException if its store is lost before
     */
    public void awaitEnd() throws InterruptedException {
        long seen = 0;
        while (true) {
            JobView view = feed.view(seen);
            seen = view.version();
            if (view.events().stream().anyMatch(event -> event.kind() == JobEvent.Kind.JOB_ENDED)) {
                return;
            }
            if (view.lost() != null) {
                throw new StoreException("the store of the job is lost: " + view.lost());
            }
            feed.awaitChange(seen, LONG);
        }
    }

    private void sendMetrics(HttpExchange exchange) throws IOException, InterruptedException {
        StatusMetrics known;
        try {
            known = metrics();
        } catch (NoClassDefFoundError missing) {
            Response.text(
                    exchange,
                    Response.NOT_FOUND,
                    "metrics need io.micrometer:micrometer-registry-prometheus on the class path of the agent");
            return;
        }
        Response.send(exchange, Response.OK, METRICS, known.scrape(METRICS).getBytes(UTF_8));
    }

    private synchronized StatusMetrics metrics() {
        StatusMetrics known = metrics;
        if (known == null) {
            known = new StatusMetrics(feed, hosted);
            metrics = known;
        }
        return known;
    }

    /** Ends the server at once. */
    @Override
    public void close() {
        threads.shutdownNow();
        server.stop(0);
        if (!isClosed.getAndSet(true)) {
            Descriptors.ofThisProcess().setAside(-ServerLimits.mostConnections());
        }
    }
}
