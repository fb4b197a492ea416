/**
 * The browser's face detector (Shape Detection API), which few browsers have.
 * @see https://wicg.github.io/shape-detection-api/#face-detection-api
 */
interface BrowserFaceDetector {
  detect(image: CanvasImageSource): Promise<readonly { readonly boundingBox: DOMRectReadOnly }[]>
}

declare const FaceDetector: (new (options: { fastMode: boolean; maxDetectedFaces: number }) => BrowserFaceDetector) | undefined

/** @returns whether exactly one face is in the picture; undefined when the detector fails */
export type DetectFace = (image: CanvasImageSource) => Promise<boolean | undefined>

/** @returns undefined in browsers without one */
export function faceDetector(): DetectFace | undefined {
  if (typeof FaceDetector === 'undefined') return undefined
  const detector = new FaceDetector({ fastMode: true, maxDetectedFaces: 3 })
  let isUseless = false
  return async (image) => {
    if (isUseless) return undefined
    try {
      return (await detector.detect(image)).length === 1
    } catch {
      // the interface exists without an implementation
      isUseless = true
      return undefined
    }
  }
}
