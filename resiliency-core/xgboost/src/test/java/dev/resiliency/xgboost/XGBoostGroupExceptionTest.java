package dev.resiliency.xgboost;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class XGBoostGroupExceptionTest {
    @Test
    void messageHasTheReasonAndTheDetailTheRest() {
        String text = """
                [19:29:03] /workspace/src/collective/result.cc:83: [coll_c_api.cc:38|19:29:03]:

                - [allreduce.cc:39|19:29:03]: Ring allreduce small failed.
                - [allgather.cc:50|19:29:03]: Ring allgather failed, current iteration:0
                - [socket.h:79|19:29:03]: Poll error condition:Success code:0
                Stack trace:
                  [bt] (0) libxgboost4j.so(+0x2b5)
                """;

        assertThat(new XGBoostGroupException(2, "allReduce", text, null))
                .hasMessage("allReduce failed on active rank 2: Poll error condition:Success code:0")
                .extracting(
                        XGBoostGroupException::rank, XGBoostGroupException::operation, XGBoostGroupException::detail)
                .containsExactly(2, "allReduce", text);
        assertThat(new XGBoostGroupException(0, "connect", "active ranks {1} have not come", null))
                .hasMessage("connect failed on active rank 0: active ranks {1} have not come");
        assertThat(new XGBoostGroupException(0, "run", " \n", null)).hasMessageContaining("no reason is given");
    }
}
