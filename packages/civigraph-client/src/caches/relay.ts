/**
 * How Relay keeps the graph: `new Environment({ getDataID, … })`, and in relay.config.json `"schemaConfig": { "nodeInterfaceIdField": "nodeId" }`,
 * by which the compiler asks for `nodeId` wherever there is one.
 */
export const getDataID = ({ nodeId }: Readonly<Record<string, unknown>>): string | null => (typeof nodeId === 'string' ? nodeId : null)
