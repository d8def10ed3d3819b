package dev.resiliency.spark.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.launcher.JavaModuleOptions;

/**
 * A standalone cluster of Spark on the loopback interface: a Master, Workers, and the executors that they start, all JVMs of the
 * class path of this process. It needs no distribution of Spark.
 */
public final class SparkCluster implements AutoCloseable {
    private static final String HOST = "127.0.0.1";
    private static final Duration START_LIMIT = Duration.ofMinutes(2);
    private static final long POLL_MILLIS = 100;
    /** Many JVMs start at once, on few cores. */
    private static final List<String> QUICK = List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-BytecodeVerificationRemote");

    private final Path directory;
    private final int port;
    private final List<Process> daemons = new ArrayList<>();

    private SparkCluster(Path directory, int port) {
        this.directory = directory;
        this.port = port;
    }

    /**
     * Starts a cluster of one worker, and waits until its master serves applications.
     *
     * @param directory where its processes write
     * @param cores of the worker
     */
    public static SparkCluster start(Path directory, int cores) throws IOException, InterruptedException {
        SparkCluster cluster = new SparkCluster(directory, freePort());
        Files.createDirectories(directory.resolve("home/jars"));
        int pages = freePort();
        Process master = cluster.daemon(
                "org.apache.spark.deploy.master.Master",
                "--host",
                HOST,
                "--port",
                String.valueOf(cluster.port),
                "--webui-port",
                String.valueOf(pages));
        try {
            cluster.awaitMaster(master, URI.create("http://" + HOST + ":" + pages + "/json/"));
            cluster.addWorker(cores);
        } catch (IOException | InterruptedException e) {
            cluster.close();
            throw e;
        }
        return cluster;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /**
     * Waits until the master serves applications: before that, it ignores them, and they try again only after 20 s, and give up after
     * the third time.
     */
    private void awaitMaster(Process master, URI status) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        while (!isAlive(status)) {
            if (!master.isAlive() || System.nanoTime() - begin > START_LIMIT.toNanos()) {
                throw new IOException("the master does not serve at " + url() + ": " + log());
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    private static boolean isAlive(URI status) {
        try {
            URLConnection page = status.toURL().openConnection();
            page.setConnectTimeout((int) START_LIMIT.toMillis());
            page.setReadTimeout((int) START_LIMIT.toMillis());
            try (InputStream text = page.getInputStream()) {
                return new String(text.readAllBytes(), UTF_8).contains("\"ALIVE\"");
            }
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Starts another worker, and returns its process, whose children are the executors that it starts. */
    public ProcessHandle addWorker(int cores) throws IOException {
        return daemon(
                        "org.apache.spark.deploy.worker.Worker",
                        "--host",
                        HOST,
                        "--cores",
                        String.valueOf(cores),
                        "--memory",
                        cores + "g",
                        "--work-dir",
                        directory.resolve("work").toString(),
                        "--webui-port",
                        "0",
                        url())
                .toHandle();
    }

    private Process daemon(String mainClass, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(java()));
        command.add("-Xmx256m");
        command.addAll(QUICK);
        command.addAll(List.of(JavaModuleOptions.defaultModuleOptionArray()));
        // How long an executor may take to leave before it is killed.
        command.addAll(List.of("-Dspark.worker.executor.terminationTimeout=5000", "-cp", classPath(), mainClass));
        command.addAll(List.of(arguments));
        String name = mainClass.substring(mainClass.lastIndexOf('.') + 1) + "-" + daemons.size() + ".log";
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(name).toFile());
        builder.environment().put("SPARK_HOME", directory.resolve("home").toString());
        builder.environment().put("SPARK_LOCAL_IP", HOST);
        builder.environment().put("SPARK_SCALA_VERSION", "2.13");
        builder.environment().put("SPARK_LOCAL_DIRS", directory.resolve("local").toString());
        Process daemon = builder.start();
        daemons.add(daemon);
        return daemon;
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private static String classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(element -> Path.of(element).toAbsolutePath().toString())
                .reduce((left, right) -> left + File.pathSeparator + right)
                .orElseThrow();
    }

    /** Returns the address of the master. */
    public String url() {
        return "spark://" + HOST + ":" + port;
    }

    /** Returns the settings of an application with this many executors of a core each, which have the class path of this process. */
    public SparkConf conf(String name, int executors) {
        return new SparkConf(false)
                .setMaster(url())
                .setAppName(name)
                .set("spark.driver.host", HOST)
                .set("spark.ui.enabled", "false")
                .set("spark.cores.max", String.valueOf(executors))
                .set("spark.executor.cores", "1")
                .set("spark.executor.memory", "512m")
                .set("spark.executor.extraClassPath", classPath())
                .set("spark.executor.extraJavaOptions", String.join(" ", QUICK));
    }

    /** Returns what the processes have written, for whoever looks for the reason of a failure. */
    public String log() {
        try (Stream<Path> files = Files.walk(directory)) {
            StringBuilder log = new StringBuilder();
            for (Path file : files.filter(each -> each.toString().matches(".*(\\.log|stderr|stdout)"))
                    .sorted()
                    .toList()) {
                log.append("==== ").append(file).append('\n').append(Files.readString(file));
            }
            return log.toString();
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Kills all processes, and waits for their end. */
    @Override
    public void close() {
        List<ProcessHandle> all = daemons.stream()
                .map(Process::toHandle)
                .flatMap(daemon -> Stream.concat(Stream.of(daemon), daemon.descendants()))
                .toList();
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(process -> process.onExit().orTimeout(10, TimeUnit.SECONDS).join());
    }
}
