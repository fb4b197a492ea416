import { environment } from '../../foundation/config/environment.ts'

// onnxruntime stores a machine id and sends telemetry unless it is disabled before the first session. It reads the environment of the process, not a
// thread's copy, so the main thread imports this module.
environment.ORT_DISABLE_TELEMETRY = '1'
