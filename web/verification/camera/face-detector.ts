/** The browser's own face detector (Shape Detection API), which few have. @see https://wicg.github.io/shape-detection-api/#face-detection-api */
interface BrowserFaceDetector {
  detect(image: CanvasImageSource): Promise<readonly { readonly boundingBox: DOMRectReadOnly }[]>
}

declare const FaceDetector: (new (options: { fastMode: boolean; maxDetectedFaces: number }) => BrowserFaceDetector) | undefined

/** @returns whether exactly one face is in the picture; undefined where the browser cannot tell */
export type DetectFace = (image: CanvasImageSource) => Promise<boolean | undefined>

/** @returns undefined where there is none */
export function faceDetector(): DetectFace | undefined {
  if (typeof FaceDetector === 'undefined') return undefined
  const detector = new FaceDetector({ fastMode: true, maxDetectedFaces: 3 })
  let isUseless = false
  return async (image) => {
    if (isUseless) return undefined
    try {
      return (await detector.detect(image)).length === 1
    } catch {
      // it is named, and not there
      isUseless = true
      return undefined
    }
  }
}
