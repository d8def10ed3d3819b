package dev.resiliency.launcher.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.resiliency.launcher.it.LauncherDocument.Command;
import dev.resiliency.testing.ProcessJob;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.PodFailurePolicyRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The recipes for Kubernetes, ssh and a chain of allocations: two nodes that are addresses of this host run what they say. */
class RecipesIT {
    private static final Path MANIFEST = Path.of("../docs/recipes/kubernetes.yaml");
    private static final Path CHAIN = Path.of("../docs/recipes/slurm-chain.sh");

    /** Knows only the fields of the API: its types would take any other as an additional one. */
    private static final ObjectMapper STRICT = new ObjectMapper(new YAMLFactory())
            .setAnnotationIntrospector(new JacksonAnnotationIntrospector() {
                @Override
                public Boolean hasAnySetter(Annotated member) {
                    return false;
                }
            })
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    @TempDir
    private Path directory;

    @SuppressWarnings("NullAway.Init") // prepare() does
    private LauncherDocument document;

    @BeforeEach
    void prepare() throws IOException {
        document = new LauncherDocument(directory);
    }

    @AfterEach
    void endAll() {
        document.close();
    }

    private static <T> T manifest(int index, Class<T> type) throws IOException {
        try (MappingIterator<ObjectNode> documents =
                STRICT.readerFor(ObjectNode.class).readValues(MANIFEST.toFile())) {
            return STRICT.treeToValue(documents.readAll().get(index), type);
        }
    }

    private static Container agent(Job job) {
        return job.getSpec().getTemplate().getSpec().getContainers().get(0);
    }

    @Test
    void manifestHasOnlyFieldsOfTheApiAndItsPartsFitTogether() throws Exception {
        Service service = manifest(0, Service.class);
        Job job = manifest(1, Job.class);
        PodSpec pod = job.getSpec().getTemplate().getSpec();
        Container agent = agent(job);
        String name = job.getMetadata().getName();

        assertThat(service.getSpec().getSelector()).containsEntry("batch.kubernetes.io/job-name", name);
        assertThat(pod.getSubdomain()).isEqualTo(service.getMetadata().getName());
        assertThat(agent.getArgs())
                .contains(
                        "--nnodes=" + job.getSpec().getCompletions(),
                        "--rdzv-endpoint=%s-0.%s:%d"
                                .formatted(
                                        name,
                                        pod.getSubdomain(),
                                        service.getSpec().getPorts().get(0).getPort()));
        assertThat(job.getSpec().getParallelism()).isEqualTo(job.getSpec().getCompletions());
        assertThat(pod.getRestartPolicy())
                .as("as a policy for failures needs it")
                .isEqualTo("Never");
        assertThat(agent.getArgs()).contains("--grace=30s");
        assertThat(pod.getTerminationGracePeriodSeconds()).isGreaterThan(30);
        assertThat(job.getSpec().getPodFailurePolicy().getRules())
                .filteredOn(rule -> rule.getAction().equals("FailJob"))
                .flatExtracting(RecipesIT::exitCodes)
                .contains(93)
                .doesNotContain(0, 1, 94);
        assertThat(job.getSpec().getPodFailurePolicy().getRules())
                .filteredOn(rule -> rule.getOnExitCodes() != null)
                .extracting(rule -> rule.getOnExitCodes().getContainerName())
                .containsOnly(agent.getName());
        assertThat(pod.getVolumes())
                .extracting(volume -> volume.getName())
                .containsExactlyInAnyOrderElementsOf(agent.getVolumeMounts().stream()
                        .map(mount -> mount.getName())
                        .toList());
    }

    private static List<Integer> exitCodes(PodFailurePolicyRule rule) {
        return rule.getOnExitCodes().getValues();
    }

    @Tag("full")
    @Test
    void podsOfTheManifestRunTheirRanks() throws Exception {
        Container agent = agent(manifest(1, Job.class));
        List<String> words = new ArrayList<>(agent.getCommand());
        words.addAll(agent.getArgs());
        document.replace("java -Xmx1g -jar /opt/resiliency-launcher.jar", "exec resiliency");
        document.replace("/opt/train.jar", "train.jar");
        document.replace("line-1-0.line-1:29400", "127.0.0.1:" + ProcessJob.freePort());
        document.replace("--nproc-per-node=8", "--nproc-per-node=2");
        document.set(
                agent.getEnv().get(0).getName(),
                Files.writeString(directory.resolve("secret"), "the secret of this job in its file")
                        .toString());
        List<Command> pods = new ArrayList<>();
        for (int index : List.of(0, 1)) {
            // The names are in the other order than the indexes.
            document.replace(
                    "-- java", "--local-addr 127.0.0.%d --node-name pod%d -- java".formatted(index + 1, 9 - index));
            pods.add(document.start("JOB_COMPLETION_INDEX=%d; export JOB_COMPLETION_INDEX; ".formatted(index)
                    + words.stream().collect(Collectors.joining(" "))));
        }

        for (Command pod : pods) {
            assertThat(pod.awaitExit()).as(pod.output()).isZero();
        }
        assertThat(pods.get(0).output()).contains("[rank 0] FOUNDED in a world of 4", "hosts the store");
        assertThat(pods.get(1).output()).contains("[rank 3] FOUNDED in a world of 4");
    }

    @Tag("full")
    @Test
    void loopOverHostsRunsTheirRanks() throws Exception {
        document.writeProgram("ssh", "[ \"$1\" = -tt ] && exec bash -c \"${*:3}\"");
        document.replace("(host0 host1)", "(127.0.0.1 127.0.0.2)");
        document.replace("--node-name \"$host\"", "--node-name \"$host\" --local-addr \"$host\"");
        document.replace("${hosts[0]}\"", "${hosts[0]}:%d\"".formatted(ProcessJob.freePort()));
        String loop = document.match("schedulers.md", "(?ms)^(#!/bin/bash\nhosts=.*?)^```$");

        Command job = document.start(loop);

        assertThat(job.awaitExit()).as(job.output()).isZero();
        assertThat(job.output()).contains("[rank 0] FOUNDED in a world of 4", "[rank 3] FOUNDED in a world of 4");
    }

    @Tag("full")
    @Test
    void chainOfAllocationsEndsWithItsJob() throws Exception {
        document.writeProgram("srun", "[ \"$1\" = --kill-on-bad-exit=0 ] && exec \"${@:2}\"");
        document.writeProgram("scancel", "echo \"$*\" >> scancelled");
        document.replace("$HOME/$SLURM_JOB_NAME", directory.resolve("shared").toString());
        document.replace("$(hostname):29400", "127.0.0.1:" + ProcessJob.freePort());
        document.replace("nodes=2:3", "nodes=2");
        document.replace(
                "-- java -jar train.jar",
                "--local-addr 127.0.0.$((SLURM_ARRAY_TASK_ID + 1)) -- sh -c 'echo group $GROUP_RANK; exit 93'");
        String recipe = Files.readString(CHAIN);
        String task =
                "export USER=me SLURM_JOB_NAME=line-1 SLURM_ARRAY_JOB_ID=17 SLURM_ARRAY_TASK_ID=%d SLURM_PROCID=0\n";

        Command one = document.start(task.formatted(1) + recipe);
        Command zero = document.start(task.formatted(0) + recipe);

        assertThat(zero.awaitExit()).as(zero.output()).isEqualTo(93);
        assertThat(one.awaitExit()).as(one.output()).isEqualTo(93);
        assertThat(one.output()).contains("group 1");
        assertThat(Files.readAllLines(directory.resolve("scancelled")))
                .containsExactly("--state=PENDING 17", "--state=PENDING --user=me --name=line-1");
        assertThat(document.start(task.formatted(2) + recipe).awaitExit())
                .as("the spare comes when all is over")
                .isZero();
    }

    @Tag("full")
    @Test
    void agentWaitsForTheNameOfTheHostOfTheStore() throws Exception {
        Path hosts = Files.writeString(directory.resolve("hosts"), "127.0.0.9 another\n");
        document.set("RESILIENCY_JAVA_OPTIONS", "-Djdk.net.hosts.file=" + hosts);
        String run =
                "exec resiliency run --nnodes 2 --rdzv-endpoint pod-0.job:%d --local-addr 127.0.0.%%d --node-name pod-%%d"
                                .formatted(ProcessJob.freePort())
                        + " -- sh -c 'echo group $GROUP_RANK'";

        Command one = document.start(run.formatted(2, 1));
        one.awaitOutput("there is no host 'pod-0.job' yet");
        Files.writeString(hosts, "127.0.0.1 pod-0.job\n");
        Command zero = document.start(run.formatted(1, 0));

        assertThat(zero.awaitExit()).as(zero.output()).isZero();
        assertThat(one.awaitExit()).as(one.output()).isZero();
        assertThat(one.output()).contains("group 1");
    }
}
