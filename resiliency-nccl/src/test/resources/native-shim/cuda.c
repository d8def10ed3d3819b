/* libcuda.so.1: the base of all of them (control file, devices, streams), and the driver calls that start kernels. */
#define _GNU_SOURCE
#include "shim.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct task {
    void (*run)(void *);
    void *argument;
    struct task *next;
};

struct shim_stream {
    int device;
    struct task *first;
    struct task **last;
    bool busy;
    bool closed;
    struct shim_stream *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct shim_stream *streams;
static shim_stream default_streams[SHIM_DEVICES];
static int errors[SHIM_DEVICES];
static __thread int current_device;

void shim_pause(void) { usleep(200); }

void shim_path(char *path, size_t size, const char *name) {
    Dl_info here;
    dladdr((void *) shim_path, &here);
    const char *end = strrchr(here.dli_fname, '/');
    snprintf(path, size, "%.*s/%s", (int) (end - here.dli_fname), here.dli_fname, name);
}

static bool command(const char *name, char *value, size_t size) {
    char path[4096], line[512];
    shim_path(path, sizeof path, "control");
    FILE *file = fopen(path, "r");
    bool found = false;
    size_t length = strlen(name);
    while (file && !found && fgets(line, sizeof line, file)) {
        if (strncmp(line, name, length) == 0 && line[length] == '=') {
            snprintf(value, size, "%.*s", (int) strcspn(line + length + 1, "\n"), line + length + 1);
            found = true;
        }
    }
    if (file) fclose(file);
    return found;
}

long shim_number(const char *name, long otherwise) {
    char value[64];
    return command(name, value, sizeof value) ? strtol(value, NULL, 0) : otherwise;
}

int shim_obey(const char *function) {
    char value[64];
    while (command(function, value, sizeof value)) {
        if (strncmp(value, "fail:", 5) == 0) return atoi(value + 5);
        if (strcmp(value, "block") != 0) return 0;
        usleep(2000);
    }
    return 0;
}

int shim_device(void) { return current_device; }
void shim_use_device(int device) { current_device = device; }
int shim_device_error(int device) { return __atomic_load_n(&errors[device], __ATOMIC_ACQUIRE); }
void shim_corrupt_device(int device, int error) { __atomic_store_n(&errors[device], error, __ATOMIC_RELEASE); }

static void *work(void *argument) {
    shim_stream stream = argument;
    shim_use_device(stream->device);
    pthread_mutex_lock(&lock);
    for (;;) {
        while (!stream->first && !stream->closed) pthread_cond_wait(&changed, &lock);
        struct task *task = stream->first;
        if (!task) break;
        stream->first = task->next;
        if (!stream->first) stream->last = &stream->first;
        stream->busy = true;
        pthread_mutex_unlock(&lock);
        task->run(task->argument);
        free(task);
        pthread_mutex_lock(&lock);
        stream->busy = false;
        pthread_cond_broadcast(&changed);
    }
    for (struct shim_stream **each = &streams; *each; each = &(*each)->next) {
        if (*each == stream) {
            *each = stream->next;
            break;
        }
    }
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    free(stream);
    return NULL;
}

shim_stream shim_stream_create(void) {
    shim_stream stream = calloc(1, sizeof *stream);
    stream->device = current_device;
    stream->last = &stream->first;
    pthread_mutex_lock(&lock);
    stream->next = streams;
    streams = stream;
    pthread_mutex_unlock(&lock);
    pthread_t thread;
    pthread_create(&thread, NULL, work, stream);
    pthread_detach(thread);
    return stream;
}

void shim_stream_destroy(shim_stream stream) {
    pthread_mutex_lock(&lock);
    stream->closed = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static shim_stream chosen(shim_stream stream) {
    if (stream) return stream;
    if (!default_streams[current_device]) default_streams[current_device] = shim_stream_create();
    return default_streams[current_device];
}

void shim_enqueue(shim_stream stream, void (*run)(void *), void *argument) {
    stream = chosen(stream);
    struct task *task = malloc(sizeof *task);
    *task = (struct task) {run, argument, NULL};
    pthread_mutex_lock(&lock);
    *stream->last = task;
    stream->last = &task->next;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static bool idle(shim_stream stream) { return !stream->busy && !stream->first; }

bool shim_stream_idle(shim_stream stream) {
    stream = chosen(stream);
    pthread_mutex_lock(&lock);
    bool result = idle(stream);
    pthread_mutex_unlock(&lock);
    return result;
}

void shim_await_stream(shim_stream stream) {
    stream = chosen(stream);
    pthread_mutex_lock(&lock);
    while (!idle(stream)) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

void shim_await_device(int device) {
    pthread_mutex_lock(&lock);
    for (struct shim_stream *each = streams; each;) {
        if (each->device == device && !idle(each)) {
            pthread_cond_wait(&changed, &lock);
            each = streams;
        } else {
            each = each->next;
        }
    }
    pthread_mutex_unlock(&lock);
}

/* Kernels. A module is its text; a function is a name that the text must contain. */

int cuInit(unsigned flags) { return flags ? 1 : shim_obey("cuInit"); }

int cuModuleLoadData(void **module, const void *image) {
    *module = strdup(image);
    return shim_device_error(current_device);
}

int cuModuleUnload(void *module) {
    free(module);
    return 0;
}

int cuModuleGetFunction(void **function, void *module, const char *name) {
    char entry[128];
    snprintf(entry, sizeof entry, ".entry %s(", name);
    if (!strstr(module, entry)) return 500; /* CUDA_ERROR_NOT_FOUND */
    *function = strdup(name);
    return 0;
}

static void spin(void *unused) {
    while (!shim_number("spin.end", 0)) usleep(2000);
}

static void poke(void *device) { shim_corrupt_device((int) (long) device, SHIM_ILLEGAL_ADDRESS); }

struct momentum {
    float *parameters, *velocity, *gradient, scale, decay;
    int count;
};

static void momentum(void *argument) {
    struct momentum *it = argument;
    for (int i = 0; i < it->count; i++) {
        it->velocity[i] = it->decay * it->velocity[i] - it->scale * it->gradient[i];
        it->parameters[i] += it->velocity[i];
    }
    free(it);
}

int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                   unsigned block_z, unsigned shared, shim_stream stream, void **parameters, void **extra) {
    if (shim_device_error(current_device)) return shim_device_error(current_device);
    if (strcmp(function, "spin") == 0) {
        shim_enqueue(stream, spin, NULL);
        return 0;
    }
    if (strcmp(function, "poke") == 0) {
        shim_enqueue(stream, poke, (void *) (long) current_device);
        return 0;
    }
    if (strcmp(function, "momentum") == 0 && (int) (grid_x * block_x) >= *(int *) parameters[5]) {
        struct momentum *it = malloc(sizeof *it);
        *it = (struct momentum) {*(float **) parameters[0], *(float **) parameters[1], *(float **) parameters[2],
            *(float *) parameters[3], *(float *) parameters[4], *(int *) parameters[5]};
        shim_enqueue(stream, momentum, it);
        return 0;
    }
    return 500;
}

int cuGetErrorName(int error, const char **name) {
    *name = error == SHIM_ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR_OF_THE_SHIM";
    return 0;
}
