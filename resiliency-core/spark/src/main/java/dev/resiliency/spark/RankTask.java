package dev.resiliency.spark;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.JobCompleteException;
import dev.resiliency.inprocess.RestartAbort;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.TooFewRanksException;
import dev.resiliency.store.StoreRequestException;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.Function2;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import scala.Function1;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;
import scala.runtime.BoxedUnit;

/** The task of a rank: reads its rows, and then takes part in the job, however often its function is restarted. */
record RankTask<T, R>(StagePlan plan, Function2<CallWrapper, List<T>, R> function)
        implements Function1<Iterator<T>, BoxedUnit>, Serializable {
    private static final Logger LOG = LoggerFactory.getLogger(ResilientStage.class);
    /** For a task that was ended, and whose rank is still leaving. */
    private static final Duration PREDECESSOR = Duration.ofSeconds(60);

    @Override
    public BoxedUnit apply(Iterator<T> partition) {
        try {
            run(CollectionConverters.asJava(partition));
            return BoxedUnit.UNIT;
        } catch (Exception e) {
            throw RankTask.<RuntimeException>asIs(e); // Spark tells them apart, and Scala declares none
        }
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Exception> E asIs(Exception thrown) throws E {
        throw (E) thrown;
    }

    @SuppressWarnings("try") // the place only needs to be left
    private void run(java.util.Iterator<T> partition) throws Exception {
        TaskContext task = TaskContext.get();
        int rank = task.partitionId();
        List<T> rows = new ArrayList<>();
        partition.forEachRemaining(
                rows::add); // before this rank joins: if that fails, or takes long, the others do not notice
        if (plan.isLocal()) {
            join(task, rank, Collections.unmodifiableList(rows));
            return;
        }
        try (OneRank place = OneRank.enter(plan.stage(), rank, PREDECESSOR)) {
            join(task, rank, Collections.unmodifiableList(rows));
        }
    }

    private void join(TaskContext task, int rank, List<T> rows) throws Exception {
        try (StageSession session = new StageSession(plan.connect("task-" + rank))) {
            String failure = session.failure();
            if (failure != null) {
                throw new ResilientStageException(failure, null);
            }
            SparkEnv env = SparkEnv.get();
            session.began(
                    rank,
                    task.taskAttemptId(),
                    "executor %s, attempt %d of task %d"
                            .formatted(env.executorId(), task.attemptNumber(), task.taskAttemptId()));
            try {
                Boolean isComplete = plan.wrapper(rank)
                        .decorateThread(decoration(task))
                        .build()
                        .call(call -> iteration(call, rows, session));
                if (isComplete != null) { // not that the rank has left on purpose
                    session.complete(rank);
                }
            } catch (JobCompleteException late) {
                LOG.info("{}: the results are with the driver", late.getMessage());
            } catch (RestartAbort | TooFewRanksException e) {
                session.fail(String.valueOf(e.getMessage()));
                throw new ResilientStageException(String.valueOf(e.getMessage()), e);
            }
        }
    }

    private static UnaryOperator<Runnable> decoration(TaskContext task) {
        Map<String, String> fields = MDC.getCopyOfContextMap();
        return step -> () -> TaskContext.withTaskContext(task, () -> {
            if (fields != null) {
                MDC.setContextMap(fields);
            }
            step.run();
            return null;
        });
    }

    private Boolean iteration(CallWrapper call, List<T> rows, StageSession session) throws Exception {
        State state = call.state();
        if (state.jobRestarts() > plan.maxRestarts()) {
            throw new RestartAbort("the stage has been restarted %d times; maxRestarts is %d; the last fault: %s"
                    .formatted(state.jobRestarts(), plan.maxRestarts(), state.lastFault()));
        }
        ByteBuffer result =
                serialized(state.activeRank() == 0 ? first(call, rows, session) : function.call(call, rows));
        if (result.remaining() > plan.maxResultBytes()) {
            throw new RestartAbort("the result has %,d bytes, more than spark.driver.maxResultSize, which is %,d"
                    .formatted(result.remaining(), plan.maxResultBytes()));
        }
        try {
            Results.write(call, session.store(), TaskContext.getPartitionId(), result);
        } catch (StoreRequestException e) {
            throw new RestartAbort(
                    "the driver does not take the results: return less, or raise spark.driver.maxResultSize and the memory of the driver: "
                            + e.getMessage(),
                    e);
        }
        return true;
    }

    /** Runs the function on the first active rank, which tells the driver what happens. */
    private R first(CallWrapper call, List<T> rows, StageSession session) throws Exception {
        session.world(call.state());
        Results.deleteBefore(session.store(), call.iteration());
        try (StepReport report = new StepReport(session, call.iteration())) {
            return function.call(new ReportedCall(call, report), rows);
        }
    }

    private ByteBuffer serialized(R result) {
        try {
            return SparkEnv.get().serializer().newInstance().serialize(result, ClassTag$.MODULE$.apply(Object.class));
        } catch (Exception e) { // such as NotSerializableException, which Scala does not declare
            throw new RestartAbort("the result cannot be serialized: " + e, e);
        }
    }
}
