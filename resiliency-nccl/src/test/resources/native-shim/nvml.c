/* libnvidia-ml.so.1: reads its values from the control file. */
#include "shim.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NOT_SUPPORTED 3
#define TIMEOUT 10
#define LINKS 4

struct field {
    unsigned id, scope;
    long long timestamp, latency;
    int type, result;
    unsigned long long value;
};

struct pci {
    char legacy_id[16];
    unsigned domain, bus, device, product, subsystem;
    char id[32];
};

struct event {
    void *device;
    unsigned long long type, data;
    unsigned gpu_instance, compute_instance;
};

/* The last number of "xid" that an event set has read: each new number is an event. */
struct event_set {
    void *device;
    long seen;
};

static long xid(void) { return shim_number("xid", 0); }

int nvmlInit_v2(void) { return shim_obey("nvmlInit_v2"); }
int nvmlShutdown(void) { return 0; }
const char *nvmlErrorString(int error) { return error == NOT_SUPPORTED ? "Not Supported" : error == 15 ? "GPU is lost" : "an error set by the test"; }

int nvmlSystemGetDriverVersion(char *version, unsigned length) {
    snprintf(version, length, "580.00-shim");
    return 0;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *id, void **device) {
    unsigned domain, bus;
    if (sscanf(id, "%x:%x", &domain, &bus) != 2) return 6; /* not found */
    *device = (void *) (unsigned long) bus;
    return shim_obey("nvmlDeviceGetHandleByPciBusId_v2");
}

int nvmlDeviceGetCount_v2(unsigned *count) {
    *count = (unsigned) shim_number("devices", 2);
    return shim_obey("nvmlDeviceGetCount_v2");
}

/* The last of three or more belongs to another container. */
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device) {
    if (index > 1 && index == (unsigned) shim_number("devices", 2) - 1) return 4; /* no permission */
    *device = (void *) (unsigned long) (index + 1);
    return shim_obey("nvmlDeviceGetHandleByIndex_v2");
}

int nvmlDeviceGetPciInfo_v3(void *device, struct pci *pci) {
    snprintf(pci->id, sizeof pci->id, "0000:%02lx:00.0", (unsigned long) device);
    return shim_obey("nvmlDeviceGetPciInfo_v3");
}

int nvmlDeviceGetName(void *device, char *name, unsigned length) {
    snprintf(name, length, "Shim GPU %lu", (unsigned long) device - 1);
    return 0;
}

int nvmlDeviceGetFieldValues(void *device, int count, struct field *fields) {
    int error = shim_obey("nvmlDeviceGetFieldValues");
    for (int i = 0; i < count; i++) {
        fields[i].result = fields[i].id == 230 ? (int) shim_number("recovery.result", 0) : NOT_SUPPORTED;
        fields[i].type = 1; /* unsigned int */
        fields[i].value = (unsigned long long) shim_number("recovery", 0);
    }
    return error;
}

int nvmlDeviceGetNvLinkState(void *device, unsigned link, unsigned *active) {
    char name[64];
    snprintf(name, sizeof name, "nvlink.%u", link);
    if (link >= LINKS) return 2; /* invalid argument */
    *active = (unsigned) shim_number(name, 1);
    return shim_obey("nvmlDeviceGetNvLinkState");
}

int nvmlDeviceGetNvLinkErrorCounter(void *device, unsigned link, int counter, unsigned long long *value) {
    char name[64];
    snprintf(name, sizeof name, "nvlink.%u.%d", link, counter);
    if (counter == 4) return NOT_SUPPORTED;
    *value = (unsigned long long) shim_number(name, 0);
    return 0;
}

int nvmlEventSetCreate(struct event_set **set) {
    *set = calloc(1, sizeof **set);
    return 0;
}

int nvmlDeviceRegisterEvents(void *device, unsigned long long types, struct event_set *set) {
    set->device = device;
    set->seen = xid();
    return types == 8 ? shim_obey("nvmlDeviceRegisterEvents") : 2;
}

int nvmlEventSetWait_v2(struct event_set *set, struct event *event, unsigned milliseconds) {
    int error = shim_obey("nvmlEventSetWait_v2");
    if (error) return error;
    if (xid() == set->seen) {
        usleep(milliseconds * 1000);
        return TIMEOUT;
    }
    set->seen = xid();
    *event = (struct event) {set->device, 8, (unsigned long long) set->seen, 0, 0};
    return 0;
}

int nvmlEventSetFree(struct event_set *set) {
    free(set);
    return 0;
}
