package dev.resiliency.inprocess.internal.monitor;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.inprocess.internal.protocol.Generation;
import dev.resiliency.inprocess.internal.protocol.Identity;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.StoreAddress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * The options of a monitor process, which its rank sends over the pipe.
 *
 * @param identity what the job has made of the rank's process; the monitor process writes nothing into another run
 * @param pid the rank's process
 * @param processStart when that process started: see {@link ProcessStart}
 * @param heartbeats the file in which the rank stamps its heartbeats
 * @param store the address of the job's store; null if it exists only in the rank's own process
 * @param access how to prove to the store that this process may use it; null for that of the environment
 * @param prefix the prefix of the job's keys
 * @param renewal renews the lease of the rank's session
 * @param interval how often to read the stamps
 * @param heartbeatInterval how often to renew the lease
 * @param heartbeatTimeout how long a renewal may take, and this process may be out of the reach of the store
 * @param softTimeout the age of a stamp at which the iteration is interrupted
 * @param hardTimeout the age of a stamp at which the rank is terminated
 * @param terminationGraceTime how long the rank may take to end itself before it is killed
 * @param logFile where the monitor process logs; null for nowhere
 * @param pidFile where the monitor process keeps its id while it runs; null for nowhere
 */
public record MonitorOptions(
        Identity identity,
        long pid,
        String processStart,
        Path heartbeats,
        @Nullable StoreAddress store,
        @Nullable StoreAccess access,
        String prefix,
        Operation.Renew renewal,
        Duration interval,
        Duration heartbeatInterval,
        Duration heartbeatTimeout,
        Duration softTimeout,
        Duration hardTimeout,
        Duration terminationGraceTime,
        @Nullable Path logFile,
        @Nullable Path pidFile) {
    private static final HexFormat HEX = HexFormat.of();

    /** Returns the options as lines of properties. */
    String toText() {
        Properties properties = new Properties();
        properties.setProperty("rank", Integer.toString(identity.rank()));
        properties.setProperty("worldSize", Integer.toString(identity.worldSize()));
        properties.setProperty("generation", identity.generation().text());
        properties.setProperty("run", identity.run());
        properties.setProperty("pid", Long.toString(pid));
        properties.setProperty("processStart", processStart);
        properties.setProperty("heartbeats", heartbeats.toString());
        if (store != null) {
            properties.setProperty("storeHost", store.host());
            properties.setProperty("storePort", Integer.toString(store.port()));
            properties.setProperty("storeScope", store.scope());
        }
        if (access != null) {
            access.putInto(properties);
        }
        properties.setProperty("prefix", prefix);
        properties.setProperty("session", Long.toString(renewal.session()));
        properties.setProperty("sessionToken", HEX.formatHex(renewal.token().bytes()));
        properties.setProperty("interval", interval.toString());
        properties.setProperty("heartbeatInterval", heartbeatInterval.toString());
        properties.setProperty("heartbeatTimeout", heartbeatTimeout.toString());
        properties.setProperty("softTimeout", softTimeout.toString());
        properties.setProperty("hardTimeout", hardTimeout.toString());
        properties.setProperty("terminationGraceTime", terminationGraceTime.toString());
        if (logFile != null) {
            properties.setProperty("logFile", logFile.toString());
        }
        if (pidFile != null) {
            properties.setProperty("pidFile", pidFile.toString());
        }
        StringBuilder text = new StringBuilder();
        properties.forEach((name, value) ->
                text.append(name).append('=').append(escaped((String) value)).append('\n'));
        return text.toString();
    }

    /** Returns the options as one line. */
    String toLine() {
        return Base64.getEncoder().encodeToString(toText().getBytes(UTF_8));
    }

    static MonitorOptions fromLine(String line) throws IOException {
        return fromText(new String(Base64.getDecoder().decode(line), UTF_8));
    }

    /** By hand, since {@link Properties#store} adds the date, and its time zone's name takes tens of milliseconds. */
    private static String escaped(String value) {
        String escaped = value.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
        boolean startsBlank = !escaped.isEmpty() && escaped.charAt(0) <= ' '; // which would be skipped
        return startsBlank ? "\\" + escaped : escaped;
    }

    /** Returns the first of these lines, which a rank sends before it knows the others. */
    static String lineOf(Path heartbeats) {
        return "heartbeats=" + escaped(heartbeats.toString()) + "\n";
    }

    /** Returns the heartbeat file in incomplete options; null if it is not among them. */
    static @Nullable Path heartbeatsIn(String text) throws IOException {
        Properties properties = new Properties();
        properties.load(new StringReader(text));
        String heartbeats = properties.getProperty("heartbeats");
        return heartbeats == null ? null : Path.of(heartbeats);
    }

    static MonitorOptions fromText(String text) throws IOException {
        Properties properties = new Properties();
        properties.load(new BufferedReader(new StringReader(text)));
        String host = properties.getProperty("storeHost");
        String logFile = properties.getProperty("logFile");
        String pidFile = properties.getProperty("pidFile");
        return new MonitorOptions(
                new Identity(
                        Integer.parseInt(properties.getProperty("rank")),
                        Integer.parseInt(properties.getProperty("worldSize")),
                        Generation.read(properties.getProperty("generation")),
                        properties.getProperty("run")),
                Long.parseLong(properties.getProperty("pid")),
                properties.getProperty("processStart"),
                Path.of(properties.getProperty("heartbeats")),
                host == null
                        ? null
                        : new StoreAddress(
                                host,
                                Integer.parseInt(properties.getProperty("storePort")),
                                properties.getProperty("storeScope")),
                StoreAccess.from(properties),
                properties.getProperty("prefix"),
                new Operation.Renew(
                        Long.parseLong(properties.getProperty("session")),
                        Value.of(HEX.parseHex(properties.getProperty("sessionToken")))),
                Duration.parse(properties.getProperty("interval")),
                Duration.parse(properties.getProperty("heartbeatInterval")),
                Duration.parse(properties.getProperty("heartbeatTimeout")),
                Duration.parse(properties.getProperty("softTimeout")),
                Duration.parse(properties.getProperty("hardTimeout")),
                Duration.parse(properties.getProperty("terminationGraceTime")),
                logFile == null ? null : Path.of(logFile),
                pidFile == null ? null : Path.of(pidFile));
    }
}
