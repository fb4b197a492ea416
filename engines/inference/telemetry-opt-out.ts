import { environment } from '../../foundation/config/environment.ts'

// onnxruntime keeps an id of the machine and sends what it runs to its makers, unless it is told not to before its first session. It asks the
// environment of the process: a thread's own copy would not do, so the main thread imports this.
environment.ORT_DISABLE_TELEMETRY = '1'
