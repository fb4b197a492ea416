// Imported before anything of @apollo: nothing of ours may contact Apollo's servers.
process.env.APOLLO_TELEMETRY_DISABLED = '1'
