package dev.resiliency.xgboost;

import com.fasterxml.jackson.databind.JsonNode;
import dev.resiliency.store.StoreException;
import dev.resiliency.xgboost.Tracker.Worker;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers one request of XGBoost to its tracker, on a thread of its own. */
final class TrackerConnection implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(TrackerConnection.class);
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private static final int START = 1;
    private static final int SHUTDOWN = 2;
    private static final int ERROR = 3;
    private static final int PRINT = 4;

    private final Tracker tracker;
    private final Socket socket;

    TrackerConnection(Tracker tracker, Socket socket) {
        this.tracker = tracker;
        this.socket = socket;
    }

    @Override
    public void run() {
        try (socket) {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout((int) LIMIT.toMillis());
            TrackerMessages messages =
                    new TrackerMessages(new BufferedInputStream(socket.getInputStream()), socket.getOutputStream());
            messages.open();
            messages.read(); // who it is: its rank follows from its place in the ring
            answer(messages, messages.read());
        } catch (IOException | StoreException e) {
            LOG.debug("a connection of XGBoost to its tracker ended: {}", e.toString());
        } catch (InterruptedException aborted) {
            Thread.currentThread().interrupt();
        }
    }

    private void answer(TrackerMessages messages, JsonNode command) throws IOException, InterruptedException {
        int code = TrackerMessages.number(command, "cmd");
        switch (code) {
            case START ->
                start(
                        messages,
                        new Worker(
                                TrackerMessages.number(command, "port"),
                                TrackerMessages.number(command, "error_port")));
            case SHUTDOWN -> LOG.trace("XGBoost leaves its tracker");
            case PRINT -> LOG.info("{}", command.path("msg").asText().strip());
            case ERROR -> LOG.warn("XGBoost reports: {}", command.path("msg").asText());
            default -> throw new ProtocolException("command " + code + " is not supported");
        }
    }

    /** Even when the restart has begun, XGBoost must have told its ports before this ends: it leaves a listener behind. */
    private void start(TrackerMessages messages, Worker worker) throws IOException, InterruptedException {
        messages.write(Map.of("world_size", tracker.size()));
        List<InetSocketAddress> addresses = tracker.meet(worker);
        if (addresses != null) {
            InetSocketAddress next = addresses.get(tracker.next());
            messages.write(
                    Map.of("rank", tracker.next(), "host", next.getAddress().getHostAddress(), "port", next.getPort()));
        }
    }
}
