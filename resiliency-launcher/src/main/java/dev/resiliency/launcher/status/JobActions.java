package dev.resiliency.launcher.status;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.resiliency.launcher.rendezvous.JobControl;
import dev.resiliency.launcher.rendezvous.NodeRange;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Changes a job for a page, as the commands of the same names do. Safe for use by many threads, one after the other. */
final class JobActions {
    private static final JsonFactory JSON = new JsonFactory();

    private final JobControl control; // guarded by this

    JobActions(JobControl control) {
        this.control = control;
    }

    /**
     * Does what was asked for; returns what happens, for people.
     *
     * @param name of the action
     * @param body its parameters: an object in JSON
     * @throws IllegalArgumentException if there is no such action, or a parameter is missing or invalid
     * @throws dev.resiliency.store.StoreException if the job does not allow it
     */
    synchronized String run(String name, byte[] body) throws InterruptedException {
        Map<String, String> parameters = read(body);
        return switch (name) {
            case "drain" -> "node %s is asked to leave".formatted(control.drain(parameter("node", parameters)));
            case "restart" -> "all ranks start again in cycle %d".formatted(control.restart());
            case "scale" -> control.scale(new NodeRange(number("min", parameters), number("max", parameters)));
            default -> throw new IllegalArgumentException("there is no action '%s'".formatted(name));
        };
    }

    private static Map<String, String> read(byte[] body) {
        Map<String, String> parameters = new HashMap<>();
        try (JsonParser parser = JSON.createParser(body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("the body must be a JSON object");
            }
            for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
                parser.nextToken();
                parameters.put(field, parser.getText());
                parser.skipChildren();
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("the body is no JSON", e);
        }
        return parameters;
    }

    private static String parameter(String name, Map<String, String> parameters) {
        String value = parameters.get(name);
        if (value == null) {
            throw new IllegalArgumentException("the parameter '%s' is missing".formatted(name));
        }
        return value;
    }

    private static int number(String name, Map<String, String> parameters) {
        try {
            return Integer.parseInt(parameter(name, parameters));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("the parameter '%s' is no number".formatted(name), e);
        }
    }
}
