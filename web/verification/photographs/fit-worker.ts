import { fitting, UnfitPhotograph } from './fitting.ts'

/** In a worker, so that the page stays responsive: a photo of 40 megapixels takes a second. */
addEventListener('message', async ({ data: { id, file } }: MessageEvent<{ id: number; file: Blob }>) => {
  try {
    postMessage({ id, fitted: await fitting(file) })
  } catch (error) {
    postMessage({ id, problem: error instanceof UnfitPhotograph ? error.problem : 'unreadable' })
  }
})
