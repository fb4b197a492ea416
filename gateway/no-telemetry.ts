// Imported before anything of @apollo: nothing of ours may contact Apollo's servers. The only place besides main.ts that touches process.env.
process.env.APOLLO_TELEMETRY_DISABLED = '1'
