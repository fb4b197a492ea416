import { environment } from '../../foundation/config/environment.ts'

// Imported before anything of @apollo: nothing of ours may contact Apollo's servers.
environment.APOLLO_TELEMETRY_DISABLED = '1'
