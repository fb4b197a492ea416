import type { AnalysedImage, DetectedFace, FaceAnalyser, ImageKind } from '../../engines/face-analyser/face-analyser.ts'

/** An analyser that records the width of the best face on the last document front: one per lane, which judges one submission at a time. */
export class WatchedFaces implements FaceAnalyser {
  readonly #faces: FaceAnalyser
  /** In pixels of the submitted image; undefined when no face was found. */
  printedWidth: number | undefined

  constructor(faces: FaceAnalyser) {
    this.#faces = faces
  }

  get versions(): FaceAnalyser['versions'] {
    return this.#faces.versions
  }

  get judge(): string {
    return this.#faces.judge
  }

  ready(): Promise<unknown> {
    return this.#faces.ready()
  }

  async analyse(image: Uint8Array, kind: ImageKind, signal: AbortSignal, upright?: DetectedFace['turn']): Promise<AnalysedImage> {
    const faces = await this.#faces.analyse(image, kind, signal, upright)
    if (kind === 'document') this.printedWidth = faces.faces[0]?.box.width
    return faces
  }
}
