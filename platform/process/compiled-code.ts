import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { cacheFolder } from '../../foundation/process/build-info.ts'

/**
 * What V8 makes of the modules that are loaded from now on is kept for the next process: a third of a start is compiling. Where the folder
 * cannot be written, nothing is kept.
 */
export function keepCompiledCode(): void {
  enableCompileCache(join(cacheFolder, 'compiled'))
}
