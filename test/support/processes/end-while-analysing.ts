import { buffer } from 'node:stream/consumers'
import { onnxFaceAnalyser } from '../../../engines/face-analyser/onnx-face-analyser.ts'
import { silentLog } from '../../../foundation/log.ts'

/** A process that ends with code 7 while it analyses faces: by a stop, or by `process.exit` only. It reads the image from stdin. */
const image = await buffer(process.stdin)
const never = new AbortController().signal
const analyser = onnxFaceAnalyser({ threads: 2, executionProviders: ['cpu'], log: silentLog })
await analyser.start(never)
await analyser.analyse(image, 'selfie', never)
for (let i = 0; i < 6; i++) analyser.analyse(image, 'document', never).catch(() => undefined)
setTimeout(async () => {
  if (process.argv[2] === 'stop') await analyser.stop()
  process.exit(7)
}, 40)
