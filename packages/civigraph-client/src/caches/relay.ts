/**
 * Store configuration for Relay: `new Environment({ getDataID, … })`, and in relay.config.json `"schemaConfig": { "nodeInterfaceIdField":
 * "nodeId" }`, which makes the compiler select `nodeId` wherever it exists.
 */
export const getDataID = ({ nodeId }: Readonly<Record<string, unknown>>): string | null => (typeof nodeId === 'string' ? nodeId : null)
