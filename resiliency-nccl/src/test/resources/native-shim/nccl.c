/* libnccl.so.2: communicators whose processes meet in a file that they map. With -DOLD it lacks the newer calls. */
#include "shim.h"
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define IN_PROGRESS 7
#define INVALID_ARGUMENT 4
#define MOST_RANKS 8
#define SLOT (4 << 20)
#define MOST_GROUPED 64

/* The file: every number in it only grows. */
struct meeting {
    int joined;
    long arrived[MOST_RANKS];
    long left[MOST_RANKS];
    long sent[MOST_RANKS][MOST_RANKS];
    long received[MOST_RANKS][MOST_RANKS];
    int splits[MOST_RANKS][2]; /* colour and key */
    char data[MOST_RANKS][SLOT];
    char messages[MOST_RANKS][MOST_RANKS][1 << 20];
};

typedef struct { char bytes[128]; } unique_id;

/* The first fields of the real struct. */
struct config {
    size_t size;
    unsigned magic, version;
    int blocking, cluster_size, min_ctas, max_ctas;
};

typedef struct communicator {
    struct meeting *meeting;
    unique_id id;
    int rank, ranks, device;
    long operations, sent[MOST_RANKS], received[MOST_RANKS];
    int children;
    int aborted, state, jobs; /* atomic */
} *communicator;

static __thread int depth, grouped_count;
static __thread communicator grouped[MOST_GROUPED];

static bool is_aborted(communicator it) { return __atomic_load_n(&it->aborted, __ATOMIC_ACQUIRE); }
static long read_number(long *number) { return __atomic_load_n(number, __ATOMIC_ACQUIRE); }
static void write_number(long *number, long value) { __atomic_store_n(number, value, __ATOMIC_RELEASE); }

int ncclGetVersion(int *version) {
    *version = (int) shim_number("nccl.version", 22907);
    return 0;
}

const char *ncclGetErrorString(int error) {
    return error == INVALID_ARGUMENT ? "invalid argument" : error == 6 ? "remote process exited or there was a network error"
                                                                        : "unhandled system error";
}

const char *ncclGetLastError(communicator it) { return "an error set by the test"; }

int ncclGetUniqueId(unique_id *id) {
    int error = shim_obey("ncclGetUniqueId");
    if (error) return error;
    char path[4096];
    shim_path(path, sizeof path, "meeting-XXXXXX");
    int file = mkstemp(path);
    if (file < 0 || ftruncate(file, sizeof(struct meeting)) != 0) return 2;
    close(file);
    memset(id, 0, sizeof *id);
    snprintf(id->bytes, sizeof id->bytes, "%s", strrchr(path, '/') + 1);
    return 0;
}

/* Tests read the sizes of these files: one byte for each communicator created, and for each freed. */
static void tally(const char *name) {
    char path[4096];
    shim_path(path, sizeof path, name);
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (file < 0 || write(file, ".", 1) != 1) abort();
    close(file);
}

static void *join(void *argument) {
    communicator it = argument;
    int error = shim_obey("ncclCommInit");
    if (!error) {
        __atomic_add_fetch(&it->meeting->joined, 1, __ATOMIC_ACQ_REL);
        while (__atomic_load_n(&it->meeting->joined, __ATOMIC_ACQUIRE) < it->ranks && !is_aborted(it)) shim_pause();
        if (it->rank == 0) {
            char path[4096];
            shim_path(path, sizeof path, it->id.bytes);
            unlink(path);
        }
    }
    __atomic_store_n(&it->state, error, __ATOMIC_RELEASE);
    return NULL;
}

static int check_config(struct config *config) {
    bool good = config->size >= sizeof *config && config->magic == 0xcafebeef && config->version > 21000
        && config->blocking == 0 && config->cluster_size == INT_MIN && config->min_ctas == INT_MIN
        && config->max_ctas == INT_MIN;
    return good ? 0 : INVALID_ARGUMENT;
}

static int open_meeting(unique_id id, int flags) {
    char path[4096];
    shim_path(path, sizeof path, id.bytes);
    return open(path, O_RDWR | flags, 0600);
}

/* Closes the file. */
static communicator allocate(int file, int ranks, unique_id id, int rank) {
    if (file < 0 || ranks > MOST_RANKS) return NULL;
    communicator it = calloc(1, sizeof *it);
    it->meeting = mmap(NULL, sizeof(struct meeting), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    it->id = id;
    it->rank = rank;
    it->ranks = ranks;
    it->device = shim_device();
    tally("created");
    return it;
}

static void start_thread(void *(*run)(void *), void *argument) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, argument);
    pthread_detach(thread);
}

static void start_join(communicator it) {
    it->state = IN_PROGRESS;
    start_thread(join, it);
}

int ncclCommInitRankConfig(communicator *result, int ranks, unique_id id, int rank, struct config *config) {
    int error = shim_obey("ncclCommInitRankConfig");
    if (!error) error = check_config(config);
    if (error) return error;
    communicator it = allocate(open_meeting(id, 0), ranks, id, rank);
    if (!it) return 2;
    *result = it;
    it->state = shim_obey("ncclCommInitRankConfig.async");
    if (it->state) return it->state; /* like the real one: with a handle that must be freed */
    start_join(it);
    return IN_PROGRESS;
}

int ncclCommGetAsyncError(communicator it, int *error) {
    int set = shim_obey("ncclCommGetAsyncError");
    *error = set ? set : __atomic_load_n(&it->state, __ATOMIC_ACQUIRE);
    return 0;
}

int ncclCommCount(communicator it, int *count) { return *count = it->ranks, 0; }
int ncclCommUserRank(communicator it, int *rank) { return *rank = it->rank, 0; }
int ncclCommCuDevice(communicator it, int *device) { return *device = it->device, 0; }

/* Waits for the device and for a child that is being created. Does not free the memory: a join may still read it. */
static void release(communicator it) {
    shim_await_device(it->device);
    while (__atomic_load_n(&it->jobs, __ATOMIC_ACQUIRE)) shim_pause();
    tally("freed");
}

int ncclCommFinalize(communicator it) {
    return shim_obey("ncclCommFinalize");
}

int ncclCommDestroy(communicator it) {
    int error = shim_obey("ncclCommDestroy");
    release(it);
    return error;
}

static void abort_all(communicator *all, int count) {
    for (int i = 0; i < count; i++) __atomic_store_n(&all[i]->aborted, 1, __ATOMIC_RELEASE);
    for (int i = 0; i < count; i++) release(all[i]);
}

/* Like the real one: waits for the device, including the work of other communicators. */
int ncclCommAbort(communicator it) {
    int error = shim_obey("ncclCommAbort");
    if (!error && it->children) error = shim_obey("ncclCommAbort.parent");
    if (error) return error;
    if (depth) {
        grouped[grouped_count++] = it;
    } else {
        abort_all(&it, 1);
    }
    return 0;
}

int ncclGroupStart(void) { return depth++, 0; }

int ncclGroupEnd(void) {
    if (--depth == 0) {
        abort_all(grouped, grouped_count);
        grouped_count = 0;
    }
    return 0;
}

/* Operations */

enum kind { ALL_REDUCE, BROADCAST, ALL_GATHER, REDUCE_SCATTER, SEND, RECEIVE };

struct operation {
    enum kind kind;
    communicator on;
    const char *from;
    char *to;
    size_t count, size;
    int type, reduction, peer;
    long number;
};

static size_t size_of(int type) { return type <= 1 ? 1 : type == 6 || type == 9 ? 2 : type <= 3 || type == 7 ? 4 : 8; }

#define REDUCE(T) do { \
    T *to = (T *) result; const T *from = (const T *) other; \
    for (size_t i = 0; i < count; i++) \
        to[i] = reduction == 0 || reduction == 4 ? to[i] + from[i] : reduction == 1 ? to[i] * from[i] \
              : (reduction == 2) == (to[i] > from[i]) ? to[i] : from[i]; \
    if (last && reduction == 4) for (size_t i = 0; i < count; i++) to[i] = (T) (to[i] / ranks); \
} while (0)

static void reduce(char *result, const char *other, size_t count, int type, int reduction, bool last, int ranks) {
    if (type == 7) REDUCE(float);
    else if (type == 8) REDUCE(double);
    else if (type == 2) REDUCE(int32_t);
    else if (type == 4) REDUCE(int64_t);
}

static bool all_have(communicator it, long *numbers, long number) {
    for (int rank = 0; rank < it->ranks; rank++) {
        while (read_number(&numbers[rank]) < number) {
            if (is_aborted(it)) return false;
            shim_pause();
        }
    }
    return true;
}

static void finish_collective(struct operation *o) {
    communicator it = o->on;
    struct meeting *meeting = it->meeting;
    size_t bytes = o->count * o->size;
    if (o->kind == ALL_GATHER) {
        for (int rank = 0; rank < it->ranks; rank++) memcpy(o->to + rank * bytes, meeting->data[rank], bytes);
    } else if (o->kind == BROADCAST) {
        memcpy(o->to, meeting->data[o->peer], bytes);
    } else {
        size_t start = o->kind == REDUCE_SCATTER ? it->rank * bytes : 0;
        char *sum = malloc(bytes);
        memcpy(sum, meeting->data[0] + start, bytes);
        for (int rank = 1; rank < it->ranks; rank++)
            reduce(sum, meeting->data[rank] + start, o->count, o->type, o->reduction, rank == it->ranks - 1, it->ranks);
        memcpy(o->to, sum, bytes);
        free(sum);
    }
}

static void run_collective(struct operation *o) {
    communicator it = o->on;
    size_t bytes = o->count * o->size * (o->kind == REDUCE_SCATTER ? (size_t) it->ranks : 1);
    if (!all_have(it, it->meeting->left, o->number - 1)) return;
    memcpy(it->meeting->data[it->rank], o->from, bytes);
    write_number(&it->meeting->arrived[it->rank], o->number);
    if (!all_have(it, it->meeting->arrived, o->number)) return;
    finish_collective(o);
    write_number(&it->meeting->left[it->rank], o->number);
}

static void run_message(struct operation *o) {
    communicator it = o->on;
    int from = o->kind == SEND ? it->rank : o->peer, to = o->kind == SEND ? o->peer : it->rank;
    long *sent = &it->meeting->sent[from][to], *received = &it->meeting->received[from][to];
    char *message = it->meeting->messages[from][to];
    while (o->kind == SEND ? read_number(received) < o->number - 1 : read_number(sent) < o->number) {
        if (is_aborted(it)) return;
        shim_pause();
    }
    if (o->kind == SEND) {
        memcpy(message, o->from, o->count * o->size);
        write_number(sent, o->number);
    } else {
        memcpy(o->to, message, o->count * o->size);
        write_number(received, o->number);
    }
}

static void run(void *argument) {
    struct operation *o = argument;
    if (o->kind == SEND || o->kind == RECEIVE) run_message(o);
    else run_collective(o);
    free(o);
}

static int start(const char *function, struct operation o, shim_stream stream) {
    int error = shim_obey(function);
    if (error) return error;
    communicator it = o.on;
    o.size = size_of(o.type);
    o.number = o.kind == SEND ? ++it->sent[o.peer] : o.kind == RECEIVE ? ++it->received[o.peer] : ++it->operations;
    struct operation *copy = malloc(sizeof o);
    *copy = o;
    shim_enqueue(stream, run, copy);
    return 0;
}

int ncclAllReduce(const void *from, void *to, size_t count, int type, int reduction, communicator it, shim_stream stream) {
    return start("ncclAllReduce", (struct operation) {ALL_REDUCE, it, from, to, count, 0, type, reduction}, stream);
}

int ncclBroadcast(const void *from, void *to, size_t count, int type, int root, communicator it, shim_stream stream) {
    return start("ncclBroadcast", (struct operation) {BROADCAST, it, from, to, count, 0, type, 0, root}, stream);
}

int ncclAllGather(const void *from, void *to, size_t count, int type, communicator it, shim_stream stream) {
    return start("ncclAllGather", (struct operation) {ALL_GATHER, it, from, to, count, 0, type}, stream);
}

int ncclReduceScatter(const void *from, void *to, size_t count, int type, int reduction, communicator it, shim_stream stream) {
    return start("ncclReduceScatter", (struct operation) {REDUCE_SCATTER, it, from, to, count, 0, type, reduction}, stream);
}

int ncclSend(const void *from, size_t count, int type, int peer, communicator it, shim_stream stream) {
    return start("ncclSend", (struct operation) {SEND, it, from, NULL, count, 0, type, 0, peer}, stream);
}

int ncclRecv(void *to, size_t count, int type, int peer, communicator it, shim_stream stream) {
    return start("ncclRecv", (struct operation) {RECEIVE, it, NULL, to, count, 0, type, 0, peer}, stream);
}

struct child {
    communicator parent, *result;
    unique_id id;
    int file, ranks, rank, device;
};

/*
 * Like the real one: writes the address in the background, even if this fails. Then the parent reports the error, and the
 * child, which must be freed, reports none.
 */
static void *make_child(void *argument) {
    struct child *child = argument;
    communicator parent = child->parent;
    int error = shim_obey("ncclCommInitChild");
    shim_use_device(child->device);
    communicator it = allocate(child->file, child->ranks, child->id, child->rank);
    if (it && !error) start_join(it);
    __atomic_store_n(child->result, it, __ATOMIC_RELEASE);
    __atomic_store_n(&parent->state, it ? error : 2, __ATOMIC_RELEASE);
    __atomic_sub_fetch(&parent->jobs, 1, __ATOMIC_ACQ_REL);
    free(child);
    return NULL;
}

/*
 * A child meets in a file of its own, whose name all ranks derive from the parent's. It is opened here: rank 0 may have aborted
 * its child, and so removed the file, before the thread of another rank runs.
 */
static int create_child(communicator parent, communicator *result, int ranks, int rank, int part) {
    unique_id id = {{0}};
    snprintf(id.bytes, sizeof id.bytes, "%.80s-%d-%d", parent->id.bytes, parent->children, part);
    int file = open_meeting(id, O_CREAT);
    if (file < 0 || ftruncate(file, sizeof(struct meeting)) != 0) return 2;
    struct child *child = malloc(sizeof *child);
    *child = (struct child) {parent, result, id, file, ranks, rank, shim_device()};
    __atomic_add_fetch(&parent->jobs, 1, __ATOMIC_ACQ_REL);
    __atomic_store_n(&parent->state, IN_PROGRESS, __ATOMIC_RELEASE);
    start_thread(make_child, child);
    return IN_PROGRESS;
}

/* Real communicators agree in the background; here the caller waits, which is good enough for tests with few ranks. */
int ncclCommSplit(communicator it, int colour, int key, communicator *child, struct config *config) {
    int error = shim_obey("ncclCommSplit");
    if (!error && config) error = check_config(config);
    if (error) return error;
    long number = ++it->operations;
    if (!all_have(it, it->meeting->left, number - 1)) return 2;
    it->meeting->splits[it->rank][0] = colour;
    it->meeting->splits[it->rank][1] = key;
    write_number(&it->meeting->arrived[it->rank], number);
    if (!all_have(it, it->meeting->arrived, number)) return 2;
    int ranks = 0, rank = 0;
    for (int other = 0; other < it->ranks; other++) {
        int *split = it->meeting->splits[other];
        if (split[0] != colour) continue;
        ranks++;
        if (split[1] < key || (split[1] == key && other < it->rank)) rank++;
    }
    it->children++;
    write_number(&it->meeting->left[it->rank], number);
    *child = NULL;
    return colour < 0 ? 0 : create_child(it, child, ranks, rank, colour);
}

#ifndef OLD
int ncclCommShrink(communicator it, int *excluded, int count, communicator *child, struct config *config, int flags) {
    int error = shim_obey("ncclCommShrink");
    if (!error && config) error = check_config(config);
    if (error) return error;
    int rank = it->rank;
    for (int i = 0; i < count; i++) {
        if (excluded[i] == it->rank) return INVALID_ARGUMENT;
        if (excluded[i] < it->rank) rank--;
    }
    if (flags == 1) { /* NCCL_SHRINK_ABORT: ends the waits of the parent */
        __atomic_store_n(&it->aborted, 1, __ATOMIC_RELEASE);
        shim_await_device(it->device);
    }
    it->children++;
    return create_child(it, child, it->ranks - count, rank, -1);
}
#endif
