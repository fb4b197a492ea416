import { fitting, UnfitPhotograph } from './fitting.ts'

/** Beside the page, which stays at hand meanwhile: a photograph of 40 megapixels takes a second of arithmetic. */
addEventListener('message', async ({ data: { id, file } }: MessageEvent<{ id: number; file: Blob }>) => {
  try {
    postMessage({ id, fitted: await fitting(file) })
  } catch (error) {
    postMessage({ id, problem: error instanceof UnfitPhotograph ? error.problem : 'unreadable' })
  }
})
