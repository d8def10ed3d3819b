package dev.resiliency.nccl.internal.natives;

import dev.resiliency.nccl.GpuCallException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.bytedeco.cuda.global.nvml;
import org.bytedeco.cuda.nvml.nvmlDevice_st;
import org.bytedeco.cuda.nvml.nvmlEventData_t;
import org.bytedeco.cuda.nvml.nvmlEventSet_st;
import org.bytedeco.cuda.nvml.nvmlFieldValue_t;
import org.bytedeco.cuda.nvml.nvmlPciInfo_t;
import org.bytedeco.javacpp.BytePointer;

/**
 * The calls of the management library that this module makes. Devices are given by their addresses. Throws {@link
 * GpuCallException} if a call returns an error; a result that the device does not support is empty.
 */
public final class Nvml {
    static final String[] SYMBOLS = {
        "nvmlInit_v2",
        "nvmlErrorString",
        "nvmlSystemGetDriverVersion",
        "nvmlDeviceGetHandleByPciBusId_v2",
        "nvmlDeviceGetCount_v2",
        "nvmlDeviceGetHandleByIndex_v2",
        "nvmlDeviceGetPciInfo_v3",
        "nvmlDeviceGetName",
        "nvmlDeviceGetFieldValues",
        "nvmlDeviceGetNvLinkState",
        "nvmlDeviceGetNvLinkErrorCounter",
        "nvmlEventSetCreate",
        "nvmlDeviceRegisterEvents",
        "nvmlEventSetWait_v2",
        "nvmlEventSetFree"
    };

    /** How many links a device can have. */
    public static final int MOST_LINKS = nvml.NVML_NVLINK_MAX_LINKS;

    /** NVML is never shut down: it counts its users, and ends with the process. */
    Nvml() {
        check("nvmlInit_v2", "this host", nvml.nvmlInit_v2());
    }

    /** Returns the version of the driver, such as {@code 580.65.06}. */
    public String driverVersion() {
        try (TextBuffer text = new TextBuffer()) {
            check(
                    "nvmlSystemGetDriverVersion",
                    "this host",
                    nvml.nvmlSystemGetDriverVersion(text.bytes(), TextBuffer.BYTES));
            return text.text();
        }
    }

    /** Returns the device with this PCI address. NVML counts all devices of the host, so its numbers differ from CUDA's. */
    public long device(String pciBusId) {
        nvmlDevice_st device = new nvmlDevice_st();
        try (BytePointer id = new BytePointer(pciBusId)) {
            check("nvmlDeviceGetHandleByPciBusId_v2", pciBusId, nvml.nvmlDeviceGetHandleByPciBusId_v2(id, device));
        }
        return device.address();
    }

    /** Returns the devices of this host that this process may use, in NVML's order. */
    public List<Long> devices() {
        int[] count = new int[1];
        check("nvmlDeviceGetCount_v2", "this host", nvml.nvmlDeviceGetCount_v2(count));
        List<Long> devices = new ArrayList<>();
        for (int index = 0; index < count[0]; index++) {
            nvmlDevice_st device = new nvmlDevice_st();
            int code = nvml.nvmlDeviceGetHandleByIndex_v2(index, device);
            if (code != nvml.NVML_ERROR_NO_PERMISSION) { // it belongs to another container
                check("nvmlDeviceGetHandleByIndex_v2", "device " + index + " of this host", code);
                devices.add(device.address());
            }
        }
        return devices;
    }

    /** Returns the PCI address of a device. */
    public String pciBusId(long device) {
        try (nvmlPciInfo_t info = new nvmlPciInfo_t()) {
            check("nvmlDeviceGetPciInfo_v3", place(device), nvml.nvmlDeviceGetPciInfo_v3(at(device), info));
            return info.busId().getString();
        }
    }

    /** Returns the name of the product. */
    public String name(long device) {
        try (TextBuffer text = new TextBuffer()) {
            check(
                    "nvmlDeviceGetName",
                    place(device),
                    nvml.nvmlDeviceGetName(at(device), text.bytes(), TextBuffer.BYTES));
            return text.text();
        }
    }

    /** Returns the action that the device needs, 0 for none; empty if the driver does not report it. */
    public OptionalInt recoveryAction(long device) {
        try (nvmlFieldValue_t field = new nvmlFieldValue_t(1)) {
            field.fieldId(nvml.NVML_FI_DEV_GET_GPU_RECOVERY_ACTION).scopeId(0);
            check("nvmlDeviceGetFieldValues", place(device), nvml.nvmlDeviceGetFieldValues(at(device), 1, field));
            if (isUnsupported(field.nvmlReturn())) {
                return OptionalInt.empty();
            }
            check("nvmlDeviceGetFieldValues", place(device), field.nvmlReturn());
            return OptionalInt.of(field.value().uiVal());
        }
    }

    /** Returns 1 if a link is up, else 0; empty if the device does not have it. */
    public OptionalInt linkState(long device, int link) {
        int[] active = new int[1];
        int code = nvml.nvmlDeviceGetNvLinkState(at(device), link, active);
        if (isUnsupported(code)) {
            return OptionalInt.empty();
        }
        check("nvmlDeviceGetNvLinkState", place(device), code);
        return OptionalInt.of(active[0]);
    }

    /** Returns how many errors of a link were counted since the driver was loaded; empty if they are not counted. */
    public OptionalLong linkErrors(long device, int link, int counter) {
        long[] value = new long[1];
        int code = nvml.nvmlDeviceGetNvLinkErrorCounter(at(device), link, counter, value);
        if (isUnsupported(code)) {
            return OptionalLong.empty();
        }
        check("nvmlDeviceGetNvLinkErrorCounter", place(device), code);
        return OptionalLong.of(value[0]);
    }

    /** Begins to collect the critical errors (XID) of a device; returns the collection's address. */
    public long collectXids(long device) {
        nvmlEventSet_st events = new nvmlEventSet_st();
        check("nvmlEventSetCreate", place(device), nvml.nvmlEventSetCreate(events));
        int code = nvml.nvmlDeviceRegisterEvents(at(device), nvml.nvmlEventTypeXidCriticalError, events);
        if (code != 0) {
            nvml.nvmlEventSetFree(events);
            check("nvmlDeviceRegisterEvents", place(device), code);
        }
        return events.address();
    }

    /** Removes the next XID from a collection and returns it; empty if there is none. */
    public OptionalLong nextXid(long events) {
        try (nvmlEventData_t data = new nvmlEventData_t()) {
            int code = nvml.nvmlEventSetWait_v2(new nvmlEventSet_st(new Address(events)), data, 1);
            if (code == nvml.NVML_ERROR_TIMEOUT) {
                return OptionalLong.empty();
            }
            check("nvmlEventSetWait_v2", "the set of XID events", code);
            return OptionalLong.of(data.eventData());
        }
    }

    /** Stops a collection. */
    public void endXids(long events) {
        check(
                "nvmlEventSetFree",
                "the set of XID events",
                nvml.nvmlEventSetFree(new nvmlEventSet_st(new Address(events))));
    }

    private static boolean isUnsupported(int code) {
        return code == nvml.NVML_ERROR_NOT_SUPPORTED || code == nvml.NVML_ERROR_INVALID_ARGUMENT;
    }

    private static nvmlDevice_st at(long device) {
        return new nvmlDevice_st(new Address(device));
    }

    private static String place(long device) {
        return "the NVML device at 0x" + Long.toHexString(device);
    }

    private static void check(String function, String place, int code) {
        if (code != 0) {
            throw new GpuCallException(
                    function, place, code, nvml.nvmlErrorString(code).getString());
        }
    }
}
