import { environment } from '../../foundation/config/environment.ts'

// Imported before any @apollo package: the gateway must not contact Apollo's servers.
environment.APOLLO_TELEMETRY_DISABLED = '1'
