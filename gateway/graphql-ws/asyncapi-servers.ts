/**
 * The servers of an AsyncAPI 3 document: the one where it was read. No address may be relative there.
 * @param usualHost - of a machine that nothing was said to
 */
export const hereFrom = (usualHost: string) => ({
  here: {
    host: '{host}',
    protocol: 'ws',
    description: 'Where this document was read; wss where that is https',
    variables: { host: { default: usualHost } },
  },
})
