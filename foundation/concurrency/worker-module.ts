import { extname } from 'node:path'

/**
 * Returns the URL of the module of a worker thread or child process, compiled or TypeScript like its importer.
 * @param name - without folder and extension
 * @param importer - `import.meta.url` of a module in the same folder
 */
export const workerModule = (name: string, importer: string): URL => new URL(`./${name}${extname(importer)}`, importer)
