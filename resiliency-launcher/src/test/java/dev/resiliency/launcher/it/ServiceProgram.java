package dev.resiliency.launcher.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** An attribution service as others run it, which can be slow, broken or of another opinion. Prints its port, and each request. */
final class ServiceProgram {
    private static final String PENDING = "{\"mode\": \"single\", \"status\": \"pending\"}";
    private static int questions;

    private ServiceProgram() {}

    @SuppressWarnings("SystemOut") // read by the test
    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/healthz", exchange -> answer(exchange, 200, "{\"status\": \"ok\"}"));
        server.createContext("/logs", exchange -> logs(exchange, arguments[0]));
        server.start();
        System.out.println("port " + server.getAddress().getPort());
    }

    @SuppressWarnings("SystemOut")
    private static void logs(HttpExchange exchange, String mode) throws IOException {
        boolean isSubmission = exchange.getRequestMethod().equals("POST");
        System.out.println(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                + new String(exchange.getRequestBody().readAllBytes(), UTF_8));
        switch (mode) {
            case "fails" -> answer(exchange, 500, "oops");
            case "nonsense" -> answer(exchange, 200, isSubmission ? PENDING : "<html>no JSON</html>");
            case "silent" -> {} // the exchange stays open
            case "drips" -> drip(exchange);
            default -> answer(exchange, 200, isSubmission || questions++ == 0 ? PENDING : recommendation(mode));
        }
    }

    /** Sends a byte now and then, for ever. */
    private static void drip(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, 0);
        while (true) {
            exchange.getResponseBody().write(' ');
            exchange.getResponseBody().flush();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        }
    }

    private static String recommendation(String action) {
        return "{\"mode\": \"single\", \"status\": \"completed\", \"result_id\": \"r1\", \"recommendation\": {\"action\": \""
                + action + "\", \"source\": \"model\", \"reason\": \"the loss is NaN since step 40\"}}";
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
