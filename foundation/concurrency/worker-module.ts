import { extname } from 'node:path'

/**
 * A module that another program or thread is started with: compiled beside the compiled one, TypeScript beside the TypeScript.
 * @param name - without folder and extension   @param importer - the `import.meta.url` of the module that lies in the same folder
 */
export const workerModule = (name: string, importer: string): URL => new URL(`./${name}${extname(importer)}`, importer)
