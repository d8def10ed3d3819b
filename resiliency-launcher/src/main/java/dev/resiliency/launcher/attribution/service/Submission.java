package dev.resiliency.launcher.attribution.service;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What a launcher asks about.
 *
 * @param log the file that it names
 * @param user of the job; may be empty
 * @param jobId may be empty
 * @param cycle negative if it does not say
 * @param report of the launcher itself, as JSON; missing if it sends none
 */
record Submission(String log, String user, String jobId, int cycle, JsonNode report) {
    static Submission of(JsonNode request) {
        return new Submission(
                request.path("log_path").asText(""),
                request.path("user").asText(""),
                request.path("job_id").asText(""),
                request.path("cycle_id").asInt(-1),
                request.path("report"));
    }
}
